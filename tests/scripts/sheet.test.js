// The sheet in the browser. tests/browser/test_sheet.py compares it with the engine in 10,000
// games; here are the rules one by one, and what pages ask it for.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  begin,
  legalBids,
  preview,
  resume,
  rulingOf,
  sentence,
  turn,
} from "../../league/static/league/sheet.js";
import { BET, BLUFF, KNIFFEL, RULES } from "./rules.js";

const FIVE_DICE = { ...BLUFF, rules: {} };

/** Return a sheet after entries that stand: acts with their values. */
function written(header, ...entries) {
  const sheet = begin(header, RULES);
  for (const [act, value] of entries) assert.equal(sheet.apply({ act, value }), null);
  return sheet;
}

const closed = (header, ...rounds) => written(header, ...rounds.map((value) => ["close", value]));

/** Return the fault of an entry, and check that the sheet stays as it was. */
function refused(sheet, act, value) {
  const before = JSON.stringify(sheet.state());
  const fault = sheet.apply({ act, value });
  assert.ok(fault, `${act} ${JSON.stringify(value)} stands`);
  assert.equal(JSON.stringify(sheet.state()), before);
  return fault;
}

const refusedRound = (sheet, value) => refused(sheet, "close", value);

test("it tells whose turn it is", () => {
  assert.equal(turn(written(BLUFF, ["note", { bid: "1x3" }])), 1);
  assert.equal(turn(closed(BLUFF, BET)), 1);
  assert.equal(turn(closed(KNIFFEL, { say: "ones=2" })), 0);
});

test("nobody's turn is known after a round that tells only its losses, and none once it is over", () => {
  assert.equal(turn(closed(BLUFF, { losses: [1, 0, 0] })), null);
  assert.equal(turn(closed(KNIFFEL, { ended: "clock" })), null);
});

test("all bids above the last one can be bid, and none once the game is over", () => {
  assert.equal(legalBids(begin(BLUFF, RULES)).length, RULES.bluff.bids.length);
  assert.deepEqual(legalBids(written(BLUFF, ["note", { bid: "40x3" }])), ["40x4", "40x5"]);
  assert.deepEqual(legalBids(closed(BLUFF, { ended: "clock" })), []);
});

test("what is open on the roller's own sheet can be announced", () => {
  const says = legalBids(closed(KNIFFEL, { say: "full=25" }, { say: "full=25" }));
  assert.deepEqual(says.slice(0, 2), ["ones=1", "ones=2"]);
  assert.ok(!says.includes("full=25"));
});

test("zero can be announced where that is agreed", () => {
  const agreed = { ...KNIFFEL, rules: { allow_zero: true } };
  assert.ok(legalBids(begin(agreed, RULES)).includes("twos=0"));
  assert.ok(!legalBids(begin(KNIFFEL, RULES)).includes("twos=0"));
});

test("a preview tells what comes of a round, and doesn't write it down", () => {
  const sheet = closed(BLUFF, BET, BET);
  const view = preview(sheet, { moves: ["2x4", "!"], count: 0 });
  assert.deepEqual(view, { losses: [0, 0, 2], out: [2], opener: 0, over: false });
  assert.equal(sheet.closed, 2);
});

test("a preview of a turn tells the points that it gains", () => {
  const view = preview(begin(KNIFFEL, RULES), { say: "fours=12", dice: "44125", doubts: [0] });
  assert.deepEqual(view, { gains: [12, 0], out: [], opener: 0, over: false });
});

test("a preview of a round that can't stand tells the fault", () => {
  assert.equal(preview(begin(BLUFF, RULES), {}).fault.code, "bad_record");
});

test("a bidder who bid too many loses the difference (B7)", () => {
  const sheet = closed(FIVE_DICE, { moves: ["5x4", "!"], count: 2 });
  assert.deepEqual(sheet.game.owned, [2, 5, 5]);
  assert.equal(turn(sheet), 1, "the challenger has won the bet and opens");
});

test("a challenger of a bid that holds loses the dice above it", () => {
  const sheet = closed(FIVE_DICE, { moves: ["2x4", "!"], count: 5 });
  assert.deepEqual(sheet.game.owned, [5, 2, 5]);
  assert.equal(turn(sheet), 0);
});

test("an exact hit costs all others a die (B8)", () => {
  const sheet = closed(FIVE_DICE, { moves: ["2x4", "!"], count: 2 });
  assert.deepEqual(sheet.game.owned, [5, 4, 4]);
  assert.equal(turn(sheet), 0, "the bidder has won the bet and opens");
});

test("what an exact hit costs depends on what is agreed", () => {
  const owned = (exact) => {
    const header = { ...BLUFF, rules: { dice: 2, exact } };
    return closed(header, BET, { moves: ["2x4", "!"], count: 2 }).game.owned;
  };
  assert.deepEqual(owned("all"), [0, 2, 1]);
  assert.deepEqual(owned("protected"), [1, 2, 1]);
  assert.deepEqual(owned("challenger"), [1, 2, 1]);
  assert.deepEqual(owned("giveaway"), [1, 2, 1]);
});

test("an exact hit gives the bidder a die back where that is agreed, up to those at the start", () => {
  const header = { ...BLUFF, rules: { dice: 2, exact: "giveaway" } };
  const hit = { moves: ["1x4", "1x5", "2x4", "!"], count: 2 };
  assert.deepEqual(closed(header, BET, hit).game.owned, [2, 1, 2]);
});

test("a seat that is out can't bid", () => {
  const sheet = closed(BLUFF, { losses: [2, 0, 0] });
  assert.equal(refused(sheet, "note", { bid: "1x4", seat: 0 }).code, "wrong_seat");
});

test("a seat leaves once", () => {
  assert.equal(refusedRound(begin(BLUFF, RULES), { forfeit: [1, 1] }).code, "bad_record");
});

test("a seat without dice is out, and ranked behind those that go on", () => {
  const sheet = closed(BLUFF, { moves: ["3x4", "!"], count: 1 }, { losses: [0, 2, 0] });
  assert.ok(sheet.over);
  assert.deepEqual(sheet.ending(), { rank: [3, 2, 1], points: [3, 2, 1], cntdice: [2, 4, 6] });
});

test("dice under all cups are counted, and a star counts as each face", () => {
  const sheet = closed(FIVE_DICE, { moves: ["2x4", "!"], revealed: ["44*11", "1111*", "11111"] });
  assert.deepEqual(sheet.game.owned, [5, 3, 5]);
});

test("laid out dice are counted, and the others are rolled again (B14)", () => {
  const header = { ...BLUFF, rules: { dice: 2, reroll: true } };
  const dealt = ["41", "11", "11"];
  const sheet = closed(header, { dealt, moves: ["1x4/4>4", "2x4", "!"] });
  assert.deepEqual(sheet.game.owned, [1, 2, 1], "both fours count");
  const fault = refusedRound(begin(header, RULES), { dealt, moves: ["1x4/5>4", "!"] });
  assert.equal(fault.code, "show_not_owned");
});

test("a round that doesn't add up is refused with its reason", () => {
  const codes = {
    not_a_raise: { moves: ["2x4", "1x4", "!"], count: 2 },
    no_challenge: { moves: ["2x4"], count: 2 },
    no_bid: { moves: ["!"], count: 2 },
    no_such_field: { moves: ["50x4", "!"], count: 2 },
    bad_face: { moves: ["2x7", "!"], count: 2 },
    count_mismatch: { moves: ["2x4", "!"], count: 7 },
    losses_mismatch: { losses: [9, 0, 0] },
    wrong_number_of_dice: { moves: ["2x4", "!"], revealed: ["44", "4", "44"] },
    wrong_seat: { forfeit: [0, 1, 2] },
    reroll_off: { moves: ["2x4/4", "!"], count: 2 },
    unknown_key: { moved: ["2x4", "!"] },
    bad_record: { moves: ["2x4", "!"], count: "2" },
  };
  for (const [code, round] of Object.entries(codes)) {
    assert.equal(refusedRound(begin(BLUFF, RULES), round).code, code);
  }
});

test("a fault names the place of what is wrong", () => {
  const sheet = begin(BLUFF, RULES);
  const fault = refusedRound(sheet, { moves: ["2x4", "1x4", "!"], count: 2 });
  assert.equal(fault.path, "value.moves[1]");
  assert.equal(refusedRound(sheet, { losses: [1, "0", 0] }).path, "value.losses[1]");
  assert.equal(refusedRound(sheet, { "a\nb": 1 }).path, "value.a\\nb");
});

test("a fault says itself in English, with other faults and lists in it", () => {
  const sheet = begin(BLUFF, RULES);
  const raise = refusedRound(sheet, { moves: ["2x4", "1x4", "!"], count: 2 });
  assert.equal(sentence(raise), "1x4 does not raise 2x4");
  const losses = refusedRound(sheet, { losses: [9, 0, 0] });
  assert.equal(sentence(losses), "no challenge can cost the seats [9, 0, 0] dice");
  const size = refusedRound(sheet, { forfeit: [] });
  assert.equal(sentence(size), "must have 1 to 3 entries, not 0");
});

test("a fault's code names the rulings of the game", () => {
  assert.deepEqual(rulingOf(begin(BLUFF, RULES), "losses_mismatch"), ["B8", "B9"]);
  assert.deepEqual(rulingOf(begin(KNIFFEL, RULES), "wrong_seat"), ["K15"]);
  assert.deepEqual(rulingOf(begin(BLUFF, RULES), "bad_record"), []);
});

test("bids that were noted have to be in the round", () => {
  const sheet = written(BLUFF, ["note", { bid: "1x4" }], ["note", { bid: "2x4" }]);
  assert.equal(refusedRound(sheet, { moves: ["1x4", "3x4", "!"], count: 2 }).code, "note_mismatch");
  assert.equal(
    sheet.apply({ act: "close", value: { moves: ["1x4", "2x4", "!"], count: 2 } }),
    null,
  );
});

test("dice under a cup can't be noted before the cups are up", () => {
  const header = { ...BLUFF, rules: { dice: 2, reroll: true } };
  assert.equal(refused(begin(header, RULES), "note", { bid: "1x4/4>4" }).code, "bad_record");
});

test("undo takes back the last note, and then the last round, once", () => {
  const sheet = written(BLUFF, ["close", BET], ["note", { bid: "1x4" }]);
  const undo = () => sheet.apply({ act: "undo", value: {} });
  assert.equal(undo(), null);
  assert.deepEqual([sheet.notes.length, sheet.closed], [0, 1]);
  assert.equal(undo().code, "nothing_to_undo", "a note keeps the round before from being undone");
  const round = closed(BLUFF, BET);
  assert.equal(round.apply({ act: "undo", value: {} }), null);
  assert.deepEqual(round.game.owned, [2, 2, 2]);
});

test("an amendment plays all later rounds again", () => {
  const sheet = closed(BLUFF, BET, { moves: ["1x4", "!"], count: 2 });
  assert.deepEqual(sheet.game.owned, [1, 2, 1]);
  const round = { moves: ["2x4", "!"], count: 3 };
  const amendment = { number: 1, reason: "miscounted", round };
  const fault = refused(sheet, "amend", { ...amendment, number: 3 });
  assert.equal(fault.code, "no_such_round");
  assert.equal(sheet.apply({ act: "amend", value: amendment }), null);
  assert.deepEqual(sheet.game.owned, [2, 0, 2]);
});

test("an amendment after which a later round doesn't fit is refused", () => {
  const sheet = closed(BLUFF, BET, { moves: ["1x4", "!"], opener: 1, count: 2 });
  const round = { moves: ["2x4", "!"], count: 3 };
  const fault = refused(sheet, "amend", { number: 1, reason: "miscounted", round });
  assert.equal(fault.code, "later_rounds");
  assert.match(sentence(fault), /^then round 2 no longer fits: seat 1 doesn't open/);
});

test("rounds of a sealed game that is played again stay as they are", () => {
  const sheet = written(BLUFF, ["close", BET], ["take_over", { game: "g" }]);
  const amendment = { number: 1, reason: "miscounted", round: BET };
  assert.equal(refused(sheet, "amend", amendment).code, "taken_over");
  assert.equal(refused(sheet, "undo", {}).code, "nothing_to_undo");
});

test("who opens is told before the first round", () => {
  assert.equal(turn(written(BLUFF, ["opener", { seat: 2 }])), 2);
  assert.equal(refused(closed(BLUFF, BET), "opener", { seat: 2 }).code, "round_begun");
});

test("a call for the arbiter waits until it is taken back or ruled on", () => {
  const called = ["call", { round: 1 }];
  assert.equal(written(BLUFF, called).state().call, 1);
  assert.ok(!("call" in written(BLUFF, called, ["call_off", {}]).state()));
  assert.ok(!("call" in written(BLUFF, called, ["ruling", {}]).state()));
});

test("a resumed sheet goes on where it was, and takes no amendment", () => {
  const { opener: _, ...header } = BLUFF;
  const state = JSON.parse(JSON.stringify(closed(BLUFF, BET).state()));
  const sheet = resume(header, state, RULES);
  assert.equal(sheet.apply({ act: "close", value: { moves: ["1x4", "!"], count: 2 } }), null);
  assert.deepEqual(sheet.game.owned, [1, 2, 1]);
  const amendment = { number: 1, reason: "misheard", round: BET };
  assert.throws(() => sheet.apply({ act: "amend", value: amendment }), /resumed/);
});

const KNIFFEL_OF_THREE = { ...KNIFFEL, seats: ["a", "b", "c"], opener: 0 };

test("what nobody doubts is noted as it was announced", () => {
  const sheet = closed(KNIFFEL, { say: "fours=12" });
  assert.deepEqual(sheet.game.sheets[1].fours, [12, false, 0]);
});

test("a caught liar gets a strike, and the doubters get the points", () => {
  const turn = { say: "fours=12", dice: "44111", doubts: [1, 2] };
  const { sheets } = closed(KNIFFEL_OF_THREE, turn).game;
  assert.deepEqual(
    sheets.map(({ fours }) => fours),
    [
      [null, false, 1],
      [12, false, 0],
      [12, false, 0],
    ],
  );
});

test("doubters of the truth get a strike each", () => {
  const turn = { say: "fours=12", dice: "44411", doubts: [1] };
  const { sheets } = closed(KNIFFEL_OF_THREE, turn).game;
  assert.deepEqual(
    sheets.map(({ fours }) => fours),
    [
      [12, false, 0],
      [null, false, 1],
      [null, false, 0],
    ],
  );
});

test("a second strike crosses the combination out", () => {
  const lie = { say: "fours=12", dice: "44111", doubts: [1] };
  const { sheets } = closed(
    KNIFFEL,
    { ...lie, doubts: [0] },
    { say: "ones=1" },
    { ...lie, doubts: [0] },
  ).game;
  assert.deepEqual(sheets[1].fours, [null, true, 2]);
});

test("a Kniffel that was a lie gives doubters no points", () => {
  const { sheets } = closed(KNIFFEL, { say: "kniffel=50", dice: "44441", doubts: [0] }).game;
  assert.deepEqual(sheets[0].kniffel, [null, false, 0]);
});

test("more than announced is true where at least is agreed", () => {
  const turn = { say: "fours=8", dice: "44411", doubts: [0] };
  const gains = (truth) => preview(begin({ ...KNIFFEL, rules: { truth } }, RULES), turn).gains;
  assert.deepEqual(gains("at_least"), [0, 8]);
  assert.deepEqual(gains("exact"), [8, 0]);
});

test("a turn that can't be is refused with its reason", () => {
  const codes = {
    no_such_announcement: { say: "fours=13" },
    bad_doubter: { say: "fours=12", dice: "44411", doubts: [1] },
    dice_needed: { say: "fours=12", doubts: [0] },
    bad_keep: { say: "fours=12", rolls: ["44411", "5>1234"] },
    must_roll_one: { say: "fours=12", rolls: ["44411", "44411>"] },
    wrong_number_of_dice: { say: "fours=12", rolls: ["4441"] },
    wrong_seat: { void: true, forfeit: [0] },
    bad_record: { say: "fours=12", rolls: ["44411"], dice: "44412" },
  };
  for (const [code, turn] of Object.entries(codes)) {
    assert.equal(refusedRound(begin(KNIFFEL, RULES), turn).code, code);
  }
  const noted = closed(KNIFFEL, { say: "fours=12" }, { say: "ones=1" });
  assert.equal(refusedRound(noted, { say: "fours=8" }).code, "category_closed");
});

test("the first full sheet begins the last lap, and the game ends with it", () => {
  const says = legalBids(begin(KNIFFEL, RULES));
  const one = RULES["luegen-kniffel"].combinations.map((name) =>
    says.find((say) => say.startsWith(`${name}=`)),
  );
  const sheet = closed(KNIFFEL, ...one.flatMap((say) => [{ say }, { say }]).slice(0, -1));
  assert.deepEqual([sheet.game.roller, sheet.game.last_lap], [0, [1]]);
  assert.ok(!sheet.over);
  assert.equal(sheet.apply({ act: "close", value: { say: one.at(-1) } }), null);
  assert.ok(sheet.over);
  assert.deepEqual(sheet.ending().rank, [1, 1]);
});

test("time ends a game only after a whole round of turns (K17)", () => {
  const sheet = closed(KNIFFEL, { say: "ones=1" });
  assert.equal(refusedRound(sheet, { ended: "clock" }).code, "clock_mismatch");
  assert.ok(closed(KNIFFEL, { say: "ones=1" }, { say: "ones=1" }, { ended: "clock" }).over);
});
