"""Why somebody has a place in a knock-out, in sentences."""

from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.illegal import Illegal
from engine.messages import Message, say
from engine.pairing.brackets.bracket import BracketInput, BracketPlace, BracketTable, layout
from engine.pairing.brackets.bracket_reasons import NAMES as NAMES_OF
from engine.pairing.brackets.bracket_reasons import (
    between_places,
    explain_place,
    numbered,
    numbered_table,
)
from tests.engine.pairing.chances import chances
from tests.engine.pairing.knockouts import by_chance, drawn, knockouts

Reached = tuple[int, str | None, str | None]
NAMES = {"a": "Anna", "b": "Ben"}


@pytest.mark.parametrize(
    ("place", "over", "sentence"),
    [
        (BracketPlace("a", 1, None, None), True, "Anna has won the knock-out"),
        (BracketPlace("a", 1, None, None), False, "Anna has not gone out yet"),
        (BracketPlace("a", 5, "W1.2", "W1.2"), False, "Anna went out (table W1.2): place 5"),
        (BracketPlace("x", 5, "W1.2", "W1.2"), False, "x went out (table W1.2): place 5"),
    ],
)
def test_a_place_says_how_it_was_come_to(place: BracketPlace, over: bool, sentence: str) -> None:
    assert str(explain_place(place, NAMES, over=over)) == sentence


@pytest.mark.parametrize(
    ("above", "below", "sentence"),
    [
        ((3, "W1.1", "third"), (4, "W1.2", "third"), "Anna finished ahead of Ben (third place)"),
        ((1, None, None), (1, None, None), "neither Anna nor Ben has gone out yet"),
        ((1, None, None), (2, "final", "final"), "Ben went out (final), Anna did not"),
        ((3, "final", "final"), (4, "final", "final"), "Anna finished ahead of Ben (final)"),
        ((1, None, None), (2, "reset", "reset"), "Ben went out (second final), Anna did not"),
        (
            (5, "W1.1", "W1.1"),
            (5, "W1.2", "W1.2"),
            "Anna and Ben got equally far: both have place 5",
        ),
        (
            (3, "W2.1", "W2.1"),
            (5, "W1.2", "W1.2"),
            "Anna went out later (table W2.1) than Ben (table W1.2)",
        ),
        (
            (3, "final", "final"),
            (5, "L3.1", "L3.1"),
            "Anna went out later (final) than Ben (table L3.1)",
        ),
        (
            (5, "W1.1", "W1.1"),
            (7, "W1.2", "W1.2"),
            "Anna went out with a better place (table W1.1) than Ben (table W1.2)",
        ),
    ],
)
def test_of_two_neighbours_it_is_said_why_the_one_is_ahead(
    above: Reached, below: Reached, sentence: str
) -> None:
    assert (
        str(between_places(BracketPlace("a", *above), BracketPlace("b", *below), NAMES)) == sentence
    )


def test_tables_can_go_by_their_numbers_instead_of_their_labels() -> None:
    tables = {"W1.2": numbered_table(2, 1), "W2.1": numbered_table(1, 2)}
    out = explain_place(BracketPlace("a", 5, "W1.2", "W1.2"), NAMES, over=False)
    assert str(numbered(out, tables)) == "Anna went out (table 2 of round 1): place 5"
    why = say(
        "{first} meets {second}",
        first=say("seed 1"),
        second=say("the winner of {table}", table="W2.1"),
    )
    assert str(numbered(why, tables)) == "seed 1 meets the winner of table 1 of round 2"
    assert str(numbered(say("table {label}", label="L1.1"), tables)) == "table L1.1"


def played(cup: BracketInput, rounds: int, chance: Random) -> BracketInput:
    """The knock-out after so many rounds, in any order of finish, some leaving on the way."""
    for _ in range(rounds):
        if not drawn(cup).over:
            cup = by_chance(cup, chance)
        if chance.random() < 0.3:
            cup = replace(cup, absent=cup.absent | {chance.choice(cup.participants)})
    return cup


def tables_lost(cup: BracketInput, tables: dict[str, BracketTable], player: str) -> list[str]:
    """The labels of the tables from which somebody didn't go on, but for those of the winners' side
    of a double elimination, which lead to the losers' side, and the table for the third place."""
    counting = [
        table
        for table in tables.values()
        if cup.kind == "single" or table.planned.side != "winners"
    ]
    unbeaten = max(
        (table for table in tables.values() if table.planned.side == "winners"),
        key=lambda table: table.planned.round_number,
        default=None,
    )
    labels = [
        table.planned.label
        for table in counting
        if table.planned.side != "third" and player in table.order[table.planned.advance :]
    ]
    if (
        cup.kind == "double"
        and unbeaten
        and player == unbeaten.order[0]
        and labels[-1:] == ["final"]
    ):
        return []  # the first game lost: the second final decides
    return labels


@given(knockouts(), st.integers(0, 9), chances)
def test_every_sentence_about_a_knock_out_is_so(
    given: BracketInput, rounds: int, chance: Random
) -> None:
    """Worked out anew from the orders of finish of its tables."""
    if given.kind == "single" and given.size == 2:
        given = replace(given, third=chance.random() < 0.5)
    cup = played(given, rounds, chance)
    picture, answer = layout(cup), drawn(cup)
    assert not isinstance(picture, Illegal)
    tables = {table.planned.label: table for table in picture if table.state == "finished"}
    lost = {player: tables_lost(cup, tables, player) for player in cup.participants}
    last = {player: tables[labels[-1]] for player, labels in lost.items() if labels}

    def label(message: object) -> str:
        """The label of the table that a sentence names."""
        return next(
            (name for name, words in NAMES_OF.items() if words == message),
            str(message).removeprefix("table "),
        )

    for place in answer.places:
        words = explain_place(place, {}, over=answer.over)
        player = place.player_id
        assert ("went out" in words) == (player in last)
        assert ("has won" in words) == (answer.over and player not in last)
        assert ("has not gone out yet" in words) == (not answer.over and player not in last)
        if player in last:
            assert (label(words.values["table"]), words.values["place"]) == (
                last[player].planned.label,
                place.place,
            )
    assert not answer.over or len(last) == len(cup.participants) - 1
    for above, below in pairwise(answer.places):
        words = between_places(above, below, {})
        ahead, behind = above.player_id, below.player_id
        assert ("neither" in words) == (ahead not in last and behind not in last)
        if "equally far" in words:
            assert above.place == below.place == words.values["place"]
        elif "did not" in words:
            assert ahead not in last
            assert label(words.values["table"]) == last[behind].planned.label
        elif "finished ahead of" in words:
            order = tables[label(words.values["table"])].order
            assert order.index(ahead) < order.index(behind)
        elif "neither" not in words:
            assert (label(words.values["first"]), label(words.values["second"])) == (
                last[ahead].planned.label,
                last[behind].planned.label,
            )
            later = last[ahead].planned.round_number - last[behind].planned.round_number
            better = last[behind].order.index(behind) - last[ahead].order.index(ahead)
            assert later > 0 if "went out later" in words else (later == 0 and better > 0)


def named(message: Message) -> list[tuple[str | None, int]]:
    """From where a sentence says that those at a table come: by place at a table, or in the
    seeding."""
    values = message.values
    if "seed" in values:
        return [(None, int(str(values["seed"])))]
    if "table" in values:
        return [(str(values["table"]), int(str(values.get("place", 1))))]
    return [
        origin for part in values.values() if isinstance(part, Message) for origin in named(part)
    ]


@given(knockouts(), st.integers(0, 9), chances)
def test_a_table_of_a_knock_out_has_those_whom_its_sentence_names(
    given: BracketInput, rounds: int, chance: Random
) -> None:
    cup = played(given, rounds, chance)
    picture, answer = layout(cup), drawn(cup)
    assert not isinstance(picture, Illegal)
    orders: dict[str | None, tuple[str, ...]] = {
        table.planned.label: table.order for table in picture
    }
    orders[None] = cup.participants
    for table in (*answer.tables, *answer.walkovers):
        people = {orders[label][place - 1] for label, place in named(table.why[0])}
        assert people - cup.absent == set(table.ids) - cup.absent
    for table in answer.walkovers:
        assert "nobody present could go out" in table.why[1]
        advance = next(row.planned.advance for row in picture if row.planned.label == table.label)
        assert len(set(table.ids) - cup.absent) <= max(advance, 1)
