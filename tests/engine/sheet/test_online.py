"""The sheet of an online table: whose turn it is, what is revealed, and what the sealed game is in
the end."""

import json
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.bluff.hand import sort_hand
from engine.bluff.move import CHALLENGE, LayOut, move_text, parse_move
from engine.bluff.ruleset import EXACT, Ruleset
from engine.dice.dealer import Dealer
from engine.dice.frame import OPENING_SCHEME
from engine.dice.opening import opener_of
from engine.players.at_random import AtRandom
from engine.players.player import Said
from engine.players.seat import view_of
from engine.record.bluff.kind import BLUFF
from engine.record.canonical import digests
from engine.record.proof import link_json, proof_json, read_proof
from engine.record.record import Record, read, with_names
from engine.record.verify import verify
from engine.record.write import write
from engine.sheet.dealing import deal, reveal
from engine.sheet.entry import SheetEntry
from engine.sheet.online import OnlineSheet, begin, resume
from engine.sheet.online_kind import fold
from tests.engine.record.build import SALTS

BY_THE_BOX = Ruleset()
NAMES = ("anna", "björn", "cem", "dora", "emil", "fritz")


def opened(dealer: Dealer, rules: Ruleset = BY_THE_BOX) -> OnlineSheet:
    """The sheet of a game that begins: its header tells who opens by the roll."""
    record = Record(
        record_id=dealer.game,
        kind=BLUFF,
        rules=rules,
        seats=NAMES[: len(dealer.seeds)],
        opener=opener_of(dealer.opening(5)),
        season=None,
        event=None,
        table=None,
        played_at=None,
        rounds=(),
        result=None,
        proof=dealer.proof([]),
    )
    return begin(with_names(record, SALTS[: len(dealer.seeds)]))


def dealer_of(secret: int, seats: int) -> Dealer:
    rng = Random(secret)
    return Dealer(
        rng.randbytes(32), "g", tuple([rng.randbytes(4) for _ in range(seats)]), OPENING_SCHEME
    )


def said(sheet: OnlineSheet) -> list[Said]:
    return [Said(note["seat"], *_shown(note["bid"])) for note in sheet.sheet.notes]


def _shown(text: str) -> tuple[int, str]:
    move = parse_move(text)
    return (move.bid, move.show) if isinstance(move, LayOut) else (move, "")  # type: ignore[return-value]


def played_at_random(
    secret: int, seats: int, rules: Ruleset
) -> tuple[OnlineSheet, list[SheetEntry], Dealer]:
    """A whole game of players at random, of whom now and then one leaves."""
    rng = Random(f"{secret} acts")
    dealer = dealer_of(secret, seats)
    sheet, entries = opened(dealer, rules), []
    player = AtRandom(rng)
    while not sheet.over:
        seat = sheet.round.turn
        move = player.choose(view_of(deal(dealer, sheet).played, said(sheet)))
        if rng.random() < 0.02:
            leaver = rng.choice([each for each, dice in enumerate(sheet.game.owned) if dice])
            entry = SheetEntry("leave", {"seat": leaver})
        elif move == CHALLENGE:
            entry = SheetEntry("challenge", {"seat": seat})
        else:
            move = LayOut(move.bid, sort_hand(move.show)) if isinstance(move, LayOut) else move
            entry = SheetEntry("bid", {"seat": seat, "bid": move_text(move)})
        assert sheet.apply(entry) is None
        entries.append(entry)
        if sheet.waits_for_dealer:
            entries.append(SheetEntry("reveal", reveal(dealer, sheet)))
            assert sheet.apply(entries[-1]) is None
        sheet = resume(sheet.record, json.loads(json.dumps(sheet.state())))
    folded = fold(opened(dealer, rules).record, entries)
    assert isinstance(folded, OnlineSheet)
    return folded, entries, dealer


def proven(sheet: OnlineSheet, entries: list[SheetEntry], dealer: Dealer) -> Record:
    """The record of a game that is over, with the links that its dealer revealed."""
    links = [entry.value["link"] for entry in entries if entry.act == "reveal"]
    opening = dealer.proof([]).links
    assert opening is not None
    value = proof_json(dealer.proof([])) | {"links": [link_json(opening[0]), *links]}
    return replace(sheet.whole(), proof=read_proof(value, len(dealer.seeds), "proof"))


@given(
    st.integers(0, 10**9),
    st.integers(2, 6),
    st.builds(
        Ruleset,
        exact=st.sampled_from([*EXACT]),
        reroll=st.booleans(),
        dice=st.sampled_from([1, 2, 5]),
    ),
)
def test_a_game_by_its_entries_is_what_an_import_of_its_record_gives_and_its_dice_are_proved(
    secret: int, seats: int, rules: Ruleset
) -> None:
    record = proven(*played_at_random(secret, seats, rules))
    line = write(record)
    imported = read(line.encode())
    assert isinstance(imported, Record)
    assert digests(imported) == digests(record)
    assert write(imported) == line
    verified = verify(imported)
    assert verified.ok, verified.error
    assert verified.proved == ("rules", "dice")


@given(st.integers(0, 10**9), st.integers(2, 6))
def test_before_the_showdown_the_state_of_a_sheet_holds_no_hands(secret: int, seats: int) -> None:
    sheet, entries, _ = played_at_random(secret, seats, Ruleset(dice=2))
    other = begin(sheet.record)
    for entry in entries:
        if entry.act == "reveal":
            break
        assert other.apply(entry) is None
    state = json.dumps(other.state())
    assert "hands" not in state
    assert "dealt" not in state


def act(sheet: OnlineSheet, name: Any, **value: Any) -> str | None:
    illegal = sheet.apply(SheetEntry(name, value))
    return None if illegal is None else illegal.code


@pytest.fixture
def sheet() -> OnlineSheet:
    return opened(dealer_of(1, 3))


def test_b6_only_the_seat_whose_turn_it_is_acts(sheet: OnlineSheet) -> None:
    turn = sheet.round.turn
    assert act(sheet, "bid", seat=(turn + 1) % 3, bid="1x2") == "not_your_turn"
    assert act(sheet, "challenge", seat=turn) == "no_bid"
    assert act(sheet, "bid", seat=turn, bid="3x4") is None
    assert act(sheet, "bid", seat=(turn + 1) % 3, bid="3x4") == "not_a_raise"
    assert act(sheet, "bid", seat=(turn + 1) % 3, bid="!") == "bad_record"
    assert act(sheet, "bid", seat=(turn + 1) % 3, bid="3x5/4") == "reroll_off"


def test_after_a_challenge_nobody_acts_until_the_dice_are_revealed(sheet: OnlineSheet) -> None:
    dealer = dealer_of(1, 3)
    turn = sheet.round.turn
    act(sheet, "bid", seat=turn, bid="3x4")
    assert act(sheet, "reveal", **reveal(dealer, sheet)) == "reveal_mismatch"
    assert act(sheet, "challenge", seat=(turn + 1) % 3) is None
    assert act(sheet, "leave", seat=turn) == "cups_up"
    shown = reveal(dealer, sheet)
    assert (
        act(sheet, "reveal", round=shown["round"] | {"moves": ["2x4", "!"]}, link=shown["link"])
        == "reveal_mismatch"
    )
    assert act(sheet, "reveal", **shown) is None
    assert (sheet.sheet.closed, sheet.challenged) == (1, False)


def test_b17_a_round_that_somebody_leaves_is_void_and_played_again_without_them(
    sheet: OnlineSheet,
) -> None:
    turn = sheet.round.turn
    act(sheet, "bid", seat=turn, bid="3x4")
    assert act(sheet, "timeout", seat=turn) is None
    assert act(sheet, "reveal", **reveal(dealer_of(1, 3), sheet)) is None
    assert sheet.game.owned[turn] == 0
    assert sheet.round.turn == (turn + 1) % 3
    assert sheet.sheet.notes == []
    assert act(sheet, "leave", seat=turn) == "wrong_seat"


def test_nothing_is_taken_back_at_an_online_table_and_nobody_writes_its_acts_down(
    sheet: OnlineSheet,
) -> None:
    act(sheet, "bid", seat=sheet.round.turn, bid="3x4")
    for name in ("undo", "amend", "note", "close", "opener"):
        assert act(sheet, name) == "bad_record"
    illegal = sheet.sheet.apply(SheetEntry("challenge", {"seat": 0}))
    assert illegal is not None
    assert illegal.code == "bad_record"


def test_b14_dice_that_are_laid_out_stay_and_all_others_are_rolled_again() -> None:
    dealer = dealer_of(5, 2)
    sheet = opened(dealer, Ruleset(reroll=True))
    seat = sheet.round.turn
    cup = deal(dealer, sheet).hands[seat]
    assert act(sheet, "bid", seat=seat, bid=f"1x2/{cup}") == "must_keep_one_hidden"
    assert act(sheet, "bid", seat=seat, bid=f"1x2/{cup[0]}") is None
    dealt = deal(dealer, sheet)
    assert dealt.played.shown[seat] == cup[0]
    assert dealt.played.cups is not None
    assert len(dealt.played.cups[seat]) == 4


def test_what_the_dealer_tells_is_read_and_settled_as_any_round_is(sheet: OnlineSheet) -> None:
    turn = sheet.round.turn
    act(sheet, "bid", seat=turn, bid="3x4")
    act(sheet, "challenge", seat=(turn + 1) % 3)
    shown = reveal(dealer_of(1, 3), sheet)
    assert act(sheet, "reveal", round={"moves": 3}, link=shown["link"]) == "bad_record"
    hands = [hand[1:] for hand in shown["round"]["dealt"]]
    assert (
        act(sheet, "reveal", round=shown["round"] | {"dealt": hands}, link=shown["link"])
        == "wrong_number_of_dice"
    )
    assert sheet.waits_for_dealer
    assert act(sheet, "reveal", **shown) is None
