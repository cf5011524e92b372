// The games that a phone writes down, and how they reach the service.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { Duplex } from "node:stream";
import { afterEach, beforeEach, test } from "node:test";
import { createDeflateRaw, inflateRawSync } from "node:zlib";
import { IDBFactory } from "fake-indexeddb";

import { alike, fold, idOf, isPlayed } from "../../league/static/league/outbox.js";
import { openPage, setGlobal } from "./page.js";
import { BET, BLUFF, RULES } from "./rules.js";
import { TABLE, Service, closeOutboxes, openOutbox, settled } from "./service.js";

const OTHER_BET = { ...BET, count: 0 };
let service;

beforeEach(() => {
  openPage("");
  globalThis.indexedDB = new IDBFactory();
  service = new Service();
});
afterEach(closeOutboxes);

/** Open the table's game on a phone, as its page does. */
async function openGame() {
  const outbox = await openOutbox();
  assert.equal(await outbox.open({ table: TABLE }), null);
  outbox.shown = "game-1";
  return outbox;
}

/** Write an entry with all that this phone knows in view. Return its fault. */
async function write(outbox, act, value, id = outbox.shown) {
  const { entries, waiting } = await outbox.row(id);
  const fault = await outbox.add(id, entries.length + waiting.length, act, value);
  await settled(outbox);
  return fault;
}

/** Send what waits, and look at what others wrote. */
async function wake(outbox) {
  outbox.wake();
  await settled(outbox);
}

/** Write a round without network, while others write another one. */
async function writeApart(outbox, ours, theirs) {
  service.isReached = false;
  await write(outbox, "close", ours);
  service.write("close", theirs);
  service.isReached = true;
  await wake(outbox);
  return outbox.row("game-1");
}

const valuesOf = (entries) => entries.map(({ value }) => value);

test("values are alike if all that is in them is", () => {
  assert.ok(alike({ a: [1, { b: null }] }, { a: [1, { b: null }] }));
  assert.ok(!alike({ a: [1] }, { a: [1, 2] }));
  assert.ok(!alike({ a: 1 }, { a: 1, b: 1 }));
  assert.ok(!alike({ a: 1 }, { b: 1 }));
  assert.ok(!alike(null, {}));
  assert.ok(!alike([], undefined));
});

test("an address ends on the id of what it leads to", () => {
  assert.equal(idOf("https://club.example/games/abc/"), "abc");
  assert.equal(idOf(null), null);
});

test("calls and rulings change nothing of the play", () => {
  const acts = ["opener", "note", "close", "call", "call_off", "ruling"];
  assert.deepEqual(
    acts.filter((act) => isPlayed({ act })),
    ["opener", "note", "close"],
  );
});

test("a row comes to its sheet, its rounds, and what an undo could take back", () => {
  const entries = [
    { key: "a", act: "close", value: BET },
    { key: "b", act: "close", value: OTHER_BET },
    { key: "c", act: "undo", value: {} },
    { key: "d", act: "note", value: { bid: "1x4" } },
    { key: "e", act: "amend", value: { number: 1, reason: "misheard", round: OTHER_BET } },
  ];
  const row = { kind: "bluff", rules: { dice: 3 }, seats: BLUFF.seats, entries, waiting: [] };
  const { sheet, rounds, standing, known } = fold(row, RULES);
  assert.deepEqual(rounds, [OTHER_BET]);
  assert.deepEqual(standing, ["a", "d"]);
  assert.deepEqual([...known], ["a", "b", "c", "d", "e"]);
  assert.deepEqual([sheet.closed, sheet.notes.length], [1, 1]);
});

test("a row with an entry that doesn't stand is an error", () => {
  const waiting = [{ key: "a", act: "undo", value: {} }];
  const row = { kind: "bluff", rules: {}, seats: BLUFF.seats, entries: [], waiting };
  assert.throws(() => fold(row, RULES), /entry a doesn't stand/);
});

test("a game can't be opened without a key, and the phone says so", async () => {
  const outbox = await openOutbox();
  assert.deepEqual(await outbox.open({ table: "another" }), { status: 401 });
  assert.deepEqual(service.requests, []);
});

test("an entry is sent with the phone's key, and then the service has it", async () => {
  const outbox = await openGame();
  assert.equal(await write(outbox, "close", BET), null);
  const { entries, waiting } = await outbox.row("game-1");
  assert.deepEqual([valuesOf(entries), entries[0].own, waiting], [[BET], true, []]);
  const { headers, sent } = service.requests.find(({ path }) => path.endsWith("/entries/"));
  assert.equal(headers.Authorization, "Device c2VjcmV0");
  assert.equal(sent.length, 0);
  assert.equal(outbox.state, "sent");
});

test("an entry that can't stand isn't written, and its fault is told", async () => {
  const outbox = await openGame();
  const fault = await write(outbox, "close", { moves: ["2x4", "1x4", "!"], count: 1 });
  assert.equal(fault.code, "not_a_raise");
  assert.deepEqual((await outbox.row("game-1")).waiting, []);
  assert.deepEqual(service.game.entries, []);
});

test("an entry of a screen that is older than this phone's own is stale", async () => {
  const outbox = await openGame();
  service.isReached = false;
  await write(outbox, "close", BET);
  assert.deepEqual(await outbox.add("game-1", 0, "close", BET), { code: "stale" });
  assert.deepEqual(await outbox.add("game-1", 5, "close", BET), { code: "stale" });
  assert.deepEqual(await outbox.add("gone", 0, "close", BET), { code: "stale" });
});

test("without network entries wait, and are sent in their order once it is back", async () => {
  const outbox = await openGame();
  service.isReached = false;
  await write(outbox, "close", BET);
  await write(outbox, "note", { bid: "1x4" });
  assert.equal(outbox.state, "offline");
  assert.equal((await outbox.row("game-1")).waiting.length, 2);
  service.isReached = true;
  await wake(outbox);
  assert.deepEqual(valuesOf(service.game.entries), [BET, { bid: "1x4" }]);
  assert.equal(outbox.state, "sent");
});

test("an entry whose answer was lost is sent again under its key, and stands once", async () => {
  const outbox = await openGame();
  service.loseAnswer();
  await write(outbox, "close", BET);
  assert.equal(outbox.state, "offline");
  await wake(outbox);
  assert.deepEqual(valuesOf(service.game.entries), [BET]);
  assert.equal((await outbox.row("game-1")).waiting.length, 0);
});

test("it waits twice as long each time until it tries again", async () => {
  const outbox = await openGame();
  service.isReached = false;
  const waits = [];
  await wake(outbox);
  for (let tries = 0; tries < 8; tries += 1) {
    waits.push(outbox.wait);
    await outbox.run();
  }
  assert.deepEqual(waits, [3000, 6000, 12_000, 24_000, 48_000, 60_000, 60_000, 60_000]);
});

test("a service that has too much to do says so", async () => {
  const outbox = await openGame();
  service.refuseNext(429, "throttled", { retry_after: 7 });
  await wake(outbox);
  assert.equal(outbox.state, "busy");
});

test("what others wrote comes in", async () => {
  const outbox = await openGame();
  service.write("close", BET);
  await wake(outbox);
  const { entries, told } = await outbox.row("game-1");
  assert.deepEqual([valuesOf(entries), entries[0].own, told], [[BET], false, undefined]);
});

test("what others change of rounds that this phone knew is told", async () => {
  const outbox = await openGame();
  await write(outbox, "close", BET);
  service.write("amend", { number: 1, reason: "miscounted", round: OTHER_BET });
  service.write("undo", {});
  await wake(outbox);
  const amended = { number: 1, reason: "miscounted", round: OTHER_BET, before: BET };
  assert.deepEqual((await outbox.row("game-1")).told, [amended, { number: 1 }]);
});

test("what others wrote as well is dropped here, and counted as agreed", async () => {
  const { waiting, trouble, agreed } = await writeApart(await openGame(), BET, BET);
  assert.deepEqual([waiting, trouble, agreed], [[], null, 1]);
  assert.deepEqual(service.branches, []);
});

test("where others wrote something else, somebody has to choose", async () => {
  const outbox = await openGame();
  const { waiting, trouble } = await writeApart(outbox, BET, OTHER_BET);
  assert.deepEqual(trouble, { code: "overtaken", place: 0, from: 0 });
  assert.deepEqual(valuesOf(waiting), [BET]);
});

test("the service keeps what couldn't stand, whatever is chosen", async () => {
  const outbox = await openGame();
  await writeApart(outbox, BET, OTHER_BET);
  await outbox.settle("game-1", "drop");
  await settled(outbox);
  await wake(outbox);
  assert.equal(service.branches.length, 1);
  assert.deepEqual(valuesOf(service.branches[0].entries), [BET]);
  assert.equal(service.branches[0].after, 0);
});

test("theirs is kept: what this phone wrote is dropped", async () => {
  const outbox = await openGame();
  await writeApart(outbox, BET, OTHER_BET);
  await outbox.settle("game-1", "drop");
  await settled(outbox);
  const { entries, waiting, trouble } = await outbox.row("game-1");
  assert.deepEqual([valuesOf(entries), waiting, trouble], [[OTHER_BET], [], null]);
});

test("ours is kept: it amends what the others wrote", async () => {
  const outbox = await openGame();
  await writeApart(outbox, BET, OTHER_BET);
  await outbox.settle("game-1", "amend", "misheard");
  await settled(outbox);
  const { act, value } = service.game.entries.at(-1);
  assert.equal(act, "amend");
  assert.deepEqual(value, { number: 1, reason: "misheard", round: BET });
});

test("a second tap on a choice drops nothing more", async () => {
  const outbox = await openGame();
  service.isReached = false;
  await write(outbox, "close", BET);
  await outbox.settle("game-1", "drop");
  assert.deepEqual(valuesOf((await outbox.row("game-1")).waiting), [BET]);
});

test("a bid that others took into their round isn't asked about", async () => {
  const outbox = await openGame();
  service.isReached = false;
  await write(outbox, "note", { bid: "2x4", seat: 0 });
  service.write("close", BET);
  service.isReached = true;
  await wake(outbox);
  const { waiting, trouble } = await outbox.row("game-1");
  assert.deepEqual([waiting, trouble], [[], null]);
});

test("what was written while others wrote is held against it", async () => {
  const outbox = await openGame();
  service.write("close", BET);
  await wake(outbox);
  assert.equal(await outbox.add("game-1", 0, "close", OTHER_BET), null);
  await settled(outbox);
  const { trouble, waiting } = await outbox.row("game-1");
  assert.deepEqual([trouble.code, valuesOf(waiting)], ["overtaken", [OTHER_BET]]);
});

test("an entry that the service refuses waits until somebody has read why", async () => {
  const outbox = await openGame();
  service.isReached = false;
  await write(outbox, "close", BET);
  service.isReached = true;
  service.refuseNext(422, "game_void");
  await wake(outbox);
  const { trouble } = await outbox.row("game-1");
  assert.deepEqual(trouble, { code: "game_void", detail: "game_void it is", place: 0 });
  await outbox.settle("game-1", "again");
  await settled(outbox);
  assert.deepEqual(valuesOf(service.game.entries), [BET]);
});

test("a key that has ended is told, and what it wrote is kept for the service", async () => {
  const outbox = await openGame();
  service.isReached = false;
  await write(outbox, "close", BET);
  service.isReached = true;
  service.refuseNext(403, "key_ended");
  await wake(outbox);
  assert.equal(outbox.state, "refused");
  const { branches, waiting } = await outbox.row("game-1");
  assert.deepEqual(valuesOf(branches[0].entries), [BET]);
  assert.deepEqual(valuesOf(waiting), [BET]);
});

test("a game is sealed once everything is sent", async () => {
  const outbox = await openGame();
  service.isReached = false;
  await write(outbox, "close", BET);
  await outbox.seal("game-1");
  await settled(outbox);
  service.isReached = true;
  await wake(outbox);
  const { sealed, sealing, entries } = await outbox.row("game-1");
  assert.deepEqual([sealed, sealing, entries.length], ["sealed-1", false, 1]);
});

test("a seal that somebody gave before others wrote more isn't given", async () => {
  const outbox = await openGame();
  service.isReached = false;
  await outbox.seal("game-1");
  await settled(outbox);
  service.isReached = true;
  service.write("close", BET);
  service.refuseNext(409, "overtaken", { entries: [...service.game.entries] });
  await wake(outbox);
  const { sealed, sealing, entries } = await outbox.row("game-1");
  assert.deepEqual([sealed, sealing, entries.length], [null, false, 1]);
});

test("a seal isn't given for what came in by another way meanwhile", async () => {
  const outbox = await openGame();
  await outbox.change("game-1", (row) => {
    row.sealing = true;
  });
  service.write("close", BET);
  await outbox.call("game-1", "call");
  assert.equal((await outbox.row("game-1")).sealing, false);
});

test("a seal that needs another's word waits for it", async () => {
  const outbox = await openGame();
  await write(outbox, "close", BET);
  service.refuseNext(409, "not_confirmed");
  await outbox.seal("game-1");
  await settled(outbox);
  const { waits, sealing, trouble } = await outbox.row("game-1");
  assert.deepEqual([waits, sealing, trouble], [1, false, null]);
});

test("a sealed game learns what it changed in the rankings", async () => {
  const outbox = await openGame();
  await outbox.seal("game-1");
  await settled(outbox);
  assert.deepEqual((await outbox.row("game-1")).gains, { rankings: [], following: [] });
});

test("the next game begins without network, and becomes the service's once that opens it", async () => {
  const outbox = await openGame();
  service.isReached = false;
  const ahead = await outbox.begin(await outbox.row("game-1"));
  outbox.shown = ahead;
  await write(outbox, "close", BET);
  assert.equal((await outbox.row(ahead)).number, 2);
  service.isReached = true;
  service.beginGame();
  await wake(outbox);
  assert.equal(outbox.shown, "game-2");
  assert.equal(await outbox.row(ahead), undefined);
  assert.deepEqual(valuesOf(service.game.entries), [BET]);
});

test("a game that was begun elsewhere as well is refused", async () => {
  const outbox = await openGame();
  service.isReached = false;
  const ahead = await outbox.begin(await outbox.row("game-1"));
  service.isReached = true;
  service.beginGame();
  service.beginGame();
  await wake(outbox);
  assert.equal((await outbox.row(ahead)).trouble.code, "begun_elsewhere");
});

test("the arbiter is called under a key that the phone knows again", async () => {
  const outbox = await openGame();
  assert.equal(await outbox.call("game-1", "call"), null);
  const { sent } = service.requests.find(({ path }) => path.endsWith("/call/"));
  assert.equal((await outbox.row("game-1")).called, sent.key);
});

test("what waits can be shown as signed codes of 30 entries at most", async () => {
  const outbox = await openGame();
  setGlobal("CompressionStream", function CompressionStream() {
    return Duplex.toWeb(createDeflateRaw()); // Node 18 has none of this format
  });
  service.isReached = false;
  for (let number = 0; number < 31; number += 1) await write(outbox, "close", { void: true });
  const codes = await outbox.codes("game-1");
  assert.equal(codes.length, 2);
  const [version, packed, signature] = codes[1].split(".");
  const signed = createHmac("sha256", "c2VjcmV0").update(`${version}.${packed}`).digest();
  assert.equal(version, "CUPS2");
  assert.equal(signature, signed.subarray(0, 16).toString("base64url"));
  const content = JSON.parse(inflateRawSync(Buffer.from(packed, "base64url")));
  const [[key, act, value]] = content.entries;
  assert.match(key, /^[0-9a-f]{32}$/);
  assert.deepEqual(
    [content.game, content.after, act, value],
    ["game-1", 30, "close", { void: true }],
  );
});

test("another window hears of a change", { timeout: 10_000 }, async () => {
  const outbox = await openGame();
  const other = await openOutbox();
  const heard = new Promise((resolve) => {
    other.changed = resolve;
  });
  await outbox.change("game-1", (row) => {
    row.ruled = "key";
  });
  assert.equal((await heard).ruled, "key");
});

test("keys are random UUIDs, also where the browser doesn't make them", async () => {
  const outbox = await openGame();
  setGlobal("crypto", { getRandomValues: (bytes) => bytes.fill(0xff) });
  await write(outbox, "close", BET);
  const { entries } = await outbox.row("game-1");
  assert.equal(entries[0].key, "efffffff-efff-4fff-bfff-efffffffffff");
});
