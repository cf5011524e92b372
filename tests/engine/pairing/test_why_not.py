"""Why a table is not otherwise."""

from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import combinations, islice
from random import Random
from typing import TypeAlias

import pytest
from hypothesis import given

from engine.illegal import Illegal
from engine.pairing.cost import cost_of
from engine.pairing.draw import Draw, draw
from engine.pairing.draw_input import Apart, DrawInput, Participant, TableIds
from engine.pairing.sizes import size_mix
from engine.pairing.why_not import GAINS, why_not
from tests.engine.pairing.chances import chances
from tests.engine.pairing.tournaments import draw_inputs

NOTHING = (
    "No swap with a nearby table would make the draw better, even if one of its criteria didn’t "
    "count."
)
DESIGN = (
    "This round comes from a design: rounds written down beforehand in which no two players "
    "meet twice. Each player’s number in it was drawn by lot."
)


def people(*scores: int, **more: Participant) -> tuple[Participant, ...]:
    """Players a, b, c … with these points, some of them as told by name."""
    players = {
        chr(ord("a") + place): Participant(chr(ord("a") + place), score)
        for place, score in enumerate(scores)
    }
    return tuple({**players, **more}.values())


def sentences(given: DrawInput, tables: str, bye: str = "", number: int = 0) -> tuple[str, ...]:
    """What is said of one of the tables, which are told as `ab cd`."""
    (words,) = why_not(given, [tuple(table) for table in tables.split()], tuple(bye), [number])
    return words


CLOSE = people(9, 8, 2, 1)
"""Four who would best play a–b and c–d."""
CLOSER = "If a and d swapped places, the points at the tables would be closer together, but "
SHORT_C, SHORT_D = Participant("c", 5, short=1), Participant("d", 5, short=1)


@pytest.mark.parametrize(
    ("given", "tables", "bye", "words"),
    [
        (
            DrawInput((2,), "x", CLOSE, apart=(Apart("a", "b", must=True),)),
            *("ac bd", ""),
            CLOSER + "two players who must stay apart would meet.",
        ),
        (
            DrawInput((2,), "x", CLOSE, apart=(Apart("c", "d"),)),
            *("ac bd", ""),
            CLOSER + "two players who wish to stay apart would meet.",
        ),
        (
            DrawInput((2,), "x", CLOSE, played=((("a", "b"), ("c", "d")),)),
            *("ac bd", ""),
            CLOSER + "these would meet again: a – b, c – d.",
        ),
        (
            DrawInput((3,), "x", people(9, 8, 7, 2, 1, 0), played=((("a", "b"),), (("a", "c"),))),
            *("abd cef", ""),
            CLOSER.replace("a and d", "d and c") + "these would meet again: a – c.",
        ),
        (
            DrawInput((2,), "x", CLOSE, rounds=3),
            *("ac bd", ""),
            CLOSER + "the rounds to come are drawn along with this one, so that few players meet "
            "again in them.",
        ),
        (
            DrawInput((2,), "x", CLOSE, rounds=3, apart=(Apart("a", "c", must=True),)),
            *("ac bd", ""),
            (
                "If a and d swapped places, fewer players who must stay apart would meet, but "
                "no such draw was found."
            ),
        ),
        (
            DrawInput((2,), "x", CLOSE),
            *("ac bd", ""),
            CLOSER + "no such draw was found.",
        ),
        (
            DrawInput((2,), "x", people(3, 3, 1, c=Participant("c", 1, byes=1)), bye=True),
            *("ac", "b"),
            "If a and b swapped places, the draw would be just as good: the seats decided, or "
            "the lot.",
        ),
        (
            DrawInput((2,), "x", people(3, 3, 1, c=Participant("c", 1, byes=1)), bye=True),
            *("ca", "b"),
            (
                "If c and b swapped places, somebody with fewer points would sit out, but it "
                "isn’t c’s turn to sit out."
            ),
        ),
        (
            DrawInput(
                (3, 2), "x", people(5, 5, 5, 5, 5, c=SHORT_C, d=SHORT_D), played=((("c", "d"),),)
            ),
            *("ecd ab", ""),
            (
                "If c and a swapped places, fewer players would meet again, but it isn’t c’s "
                "turn to sit at a short table."
            ),
        ),
    ],
)
def test_the_criterion_that_decided_is_named_with_what_would_be_better_without_it(
    given: DrawInput, tables: str, bye: str, words: str
) -> None:
    assert words in sentences(given, tables, bye), sentences(given, tables, bye)


def test_rounds_of_a_design_say_so() -> None:
    given = DrawInput((3,), "x", people(*[0] * 9), rounds=4)
    first = draw(given)
    assert isinstance(first, Draw)
    assert {words[0] for words in why_not(given, first.tables, (), range(3))} == {DESIGN}
    given = replace(given, played=(first.tables,))
    second = draw(given)
    assert isinstance(second, Draw)
    assert set(why_not(given, second.tables, (), range(3))) == {(DESIGN, NOTHING)}
    other = [tuple(ids) for ids in zip(*second.tables, strict=True)]
    assert DESIGN not in why_not(given, other, (), [0])[0], (
        "tables of another version of the drawing"
    )


def test_in_a_first_round_all_are_alike() -> None:
    given = DrawInput((2,), "x", people(0, 0, 0, 0, 0, 0), rounds=3)
    words = (
        "If a and c swapped places, the draw would be just as good: the seats decided, or the lot."
    )
    assert words in sentences(given, "ab cd ef")
    assert words not in sentences(replace(given, played=((("a", "e"), ("b", "f")),)), "ab cd ef")
    assert words not in sentences(replace(given, apart=(Apart("a", "e"),)), "ab cd ef")


def test_a_single_table_has_nothing_to_be_exchanged_with() -> None:
    assert sentences(DrawInput((3,), "x", people(0, 0, 0), rounds=1), "abc") == ()


@pytest.mark.parametrize(("place", "is_near"), [(16, True), (17, False)])
def test_far_tables_are_left_alone(place: int, is_near: bool) -> None:
    """So a large round costs no more, table by table."""
    players = people(*[0] * 80)
    ids = [player.player_id for player in players]
    tables = [tuple(ids[first : first + 2]) for first in range(0, 80, 2)]
    met = [player_id for player_id in ids[2:] if player_id not in tables[place]]
    played = (
        (tables[0],),
        *[((ids[0], player_id), (ids[1], met[-1 - turn])) for turn, player_id in enumerate(met)],
    )
    given = DrawInput((2,), "x", players, len(played) + 2, played)
    words = (
        f"If {ids[0]} and {tables[place][0]} swapped places, fewer players would meet again, but no such "
        "draw was found."
    )
    assert why_not(given, tables, (), [0]) == ((words if is_near else NOTHING,),)


def exchanged(places: list[TableIds], here: str, there: str) -> list[TableIds]:
    names = {here: there, there: here}
    return [tuple([names.get(player_id, player_id) for player_id in ids]) for ids in places]


LAST = ("apart", "out", "spread", "floats")
ORDER = {
    False: ("byes", "short", "must", "repeats", *LAST),
    True: ("byes", "must", "repeats", "short", *LAST),
}
"""In which order the criteria count that say who sits together, by whether meetings count before
short tables."""
Changes: TypeAlias = dict[str, int]


def costs(given: DrawInput, places: list[TableIds], tables: int) -> Changes:
    """What a whole draw costs, by the criteria that say who sits together."""
    cost = asdict(cost_of(given, places[:tables], tuple([ids[0] for ids in places[tables:]])))
    return {name: cost[name] for name in ORDER[given.meetings_first]}


def changes(
    given: DrawInput, places: list[TableIds], tables: int, number: int
) -> Iterator[tuple[str, str, Changes]]:
    """All exchanges with one place, and by how much each criterion of the whole draw becomes
    worse."""
    before = costs(given, places, tables)
    for ids in places[:number] + places[number + 1 :]:
        for here in places[number]:
            for there in ids:
                after = costs(given, exchanged(places, here, there), tables)
                yield here, there, {name: after[name] - before[name] for name in before}


def criterion_against(change: Changes) -> str:
    first = next((name for name, value in change.items() if value), "")
    return "" if not first or change[first] < 0 else first


def without(change: Changes) -> list[int]:
    return [0 if name == criterion_against(change) else value for name, value in change.items()]


def obstacle(given: DrawInput, places: list[TableIds], here: str, there: str, against: str) -> str:
    """What speaks against an exchange by a criterion, with those whom it names."""
    before = {player_id: ids for ids in places for player_id in ids}
    smaller = there if len(before[here]) < len(before[there]) else here
    met = {
        frozenset(pair)
        for tables in given.played
        for ids in tables
        for pair in combinations(ids, 2)
    }
    pairs = [
        pair
        for ids in exchanged(places, here, there)
        for pair in combinations(sorted(ids), 2)
        if {here, there} & {*pair}
    ]
    again = [pair for pair in pairs if frozenset(pair) in met and pair[1] not in before[pair[0]]]
    return {
        "byes": f"it isn’t {smaller}’s turn to sit out",
        "short": f"it isn’t {smaller}’s turn to sit at a short table",
        "must": "two players who must stay apart would meet",
        "repeats": (
            "these would meet again: "
            f"{', '.join(f'{one} – {other}' for one, other in sorted(again))}"
        ),
        "apart": "two players who wish to stay apart would meet",
        "out": f"{smaller}, who would sit out, has more points",
        "spread": "the points at the tables would be further apart",
    }[against]


def seating(given: DrawInput, chance: Random) -> tuple[list[TableIds], int]:
    """Any seating, good or bad: the tables and behind them those who sit out, and how many tables
    there are."""
    mix = size_mix(len(given.participants), given.sizes, bye=given.bye)
    if isinstance(mix, Illegal):
        return [], 0
    ids = iter(
        chance.sample([player.player_id for player in given.participants], len(given.participants))
    )
    return [tuple(islice(ids, size)) for size in (*mix.tables, *[1] * mix.byes)], len(mix.tables)


@given(draw_inputs(), chances)
def test_what_is_said_of_exchanges_is_so(given: DrawInput, chance: Random) -> None:
    """Every sentence, none is missing and there is no further one: worked out anew by the cost of
    whole draws."""
    places, tables = seating(given, chance)
    bye = tuple([ids[0] for ids in places[tables:]])
    last = given.rounds in (None, len(given.played) + 1)
    for number, words in enumerate(why_not(given, places[:tables], bye, range(len(places)))):
        found = list(changes(given, places, tables, number))
        best: dict[str, list[int]] = {}
        for _, _, change in found:
            if any(without(change)) and next(filter(None, without(change))) < 0:
                against = criterion_against(change)
                best[against] = min(best.get(against, without(change)), without(change))
        decided = [sentence for sentence in words if "gain" in sentence.values]
        assert len(decided) == len(best)
        order = ORDER[given.meetings_first]
        for against, sentence in zip(sorted(best, key=[*order, ""].index), decided, strict=True):
            here, there = str(sentence.values["here"]), str(sentence.values["there"])
            change = next(change for one, other, change in found if (one, other) == (here, there))
            assert (criterion_against(change), without(change)) == (against, best[against])
            gained = next(name for name, value in zip(order, without(change), strict=True) if value)
            assert sentence.values["gain"] == GAINS[gained]
            if against:
                assert sentence.values["against"] == obstacle(given, places, here, there, against)
            else:
                looked = not last and not any(
                    change[name] for name in order[: order.index("repeats")]
                )
                words_against = (
                    "the rounds to come are drawn along" if looked else "no such draw was found"
                )
                assert str(sentence.values["against"]).startswith(words_against)
        even = [sentence for sentence in words if "the draw would be just as good" in sentence]
        pairs = [(here, there) for here, there, change in found if not any(change.values())]
        is_first = not (given.played or given.apart or given.labels)
        assert len(even) == ((last or is_first) and bool(pairs))
        assert all(
            (sentence.values["here"], sentence.values["there"]) in pairs for sentence in even
        )
        assert (NOTHING in words) == (bool(found) and not decided and not even)
        assert len(words) == len(decided) + len(even) + (NOTHING in words) + (DESIGN in words)


@given(draw_inputs(), chances)
def test_the_order_of_the_players_changes_no_sentence(given: DrawInput, chance: Random) -> None:
    places, tables = seating(given, chance)
    turned = replace(given, participants=given.participants[::-1], apart=given.apart[::-1])
    sentences_of = [
        why_not(either, places[:tables], (), range(tables)) for either in (given, turned)
    ]
    assert sentences_of[0] == sentences_of[1]
