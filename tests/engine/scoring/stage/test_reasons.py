"""What the sentences of a ranking say, and that they are true."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise

import pytest
from hypothesis import given

from engine.messages import Message
from engine.scoring.stage.ranking import StageRow, stage_ranking, tables_unknown
from engine.scoring.stage.reasons import between, explain_row
from engine.scoring.stage.registry import TIE_BREAKS
from engine.scoring.stage.results import (
    PARTS,
    RoundBye,
    StageParticipant,
    StageResults,
    TableResult,
)
from engine.scoring.stage.rules import StageScoring, StageTieBreak
from engine.scoring.stage.table_points import (
    bye_score,
    game_scores,
    middle_score,
    most_score,
    table_places,
    table_scores,
)
from engine.scoring.stage.tie_breaks import NOWHERE
from engine.scoring.wording import counted, written
from tests.engine.scoring.stage.build import game, rules, stage, stages, table

DUELS = rules(StageTieBreak.HEAD_TO_HEAD, scoring=StageScoring.WIN_DRAW_LOSS, size=2)


def first_reason(played: StageResults) -> str:
    above, below, *_ = stage_ranking(played)
    return str(between(above, below))


def test_points_decide() -> None:
    assert first_reason(stage(DUELS, table(1, "ab"), table(1, "cd"), a=3)) == "A has 5 points, C 2"


def test_those_who_met_once_hear_in_which_round() -> None:
    assert (
        first_reason(stage(DUELS, table(3, "ba"), a=12, b=10))
        == "B and A have 12 points; they met in round 3, and B finished ahead"
    )


def test_those_who_met_more_often_hear_in_which_rounds() -> None:
    assert first_reason(stage(DUELS, table(1, "ba"), table(2, "ab"), table(4, "ba"), a=2)) == (
        "B and A have 4 points; they met in rounds 1, 2 and 4, and B finished ahead more often"
    )


def test_at_free_tables_they_hear_at_which_table() -> None:
    free = replace(DUELS, free=True)
    assert first_reason(stage(free, table(3, "ba"), a=12, b=10)) == (
        "B and A have 12 points; they met at table 3, and overall B finished ahead"
    )
    assert first_reason(stage(free, table(1, "ba"), table(2, "ab"), table(4, "ba"), a=2)) == (
        "B and A have 4 points; they met at table 1, 2 and 4, and overall B finished ahead"
    )
    short = stage(replace(free, size=3), table(2, "ab"))
    assert [str(sentence) for sentence in explain_row(stage_ranking(short)[0])][1] == (
        "table 2: place 1 of 2, counted as if at a table of 3: 2 points"
    )
    played = stage(free, table(2, "ab"), TableResult(5, ("a", "b")), c=0)
    assert [str(sentence) for sentence in explain_row(stage_ranking(played)[0])][1:3] == [
        "table 2: place 1 of 2, 2 points",
        "table 5: not over yet",
    ]


def test_by_totals_no_table_counts_as_one_of_another_size() -> None:
    by_totals = rules(scoring=StageScoring.TOTALS, size=8)
    seven = TableResult(
        1, tuple("abcdefg"), (game(*range(1, 8), totals=(231, 230, 200, 150, 120, 99, 0)),)
    )
    best = stage_ranking(stage(by_totals, seven))[0]
    assert str(explain_row(best)[1]) == "round 1: place 1 of 7, 231 points"
    free = stage_ranking(stage(replace(by_totals, free=True), seven))[0]
    assert str(explain_row(free)[1]) == "table 1: place 1 of 7, 231 points"


def test_of_several_who_are_tied_all_are_named() -> None:
    played = stage(DUELS, table(1, "ab"), table(2, "bc"), table(3, "ac"), b=2, c=4)
    assert first_reason(played) == (
        "A and B have 4 points; A, B and C have all met; counting 2 for finishing ahead and 1 "
        "for a shared place, A has 4, B 2"
    )


ROUND_1 = (table(1, "axy"), table(1, "wbz"))


@pytest.mark.parametrize(
    ("tie_break", "reason"),
    [
        (StageTieBreak.WINS, "A won more games: 1, B 0"),
        (StageTieBreak.POINTS_SHARE, "A has the larger share of the points available: 1, B 1/2"),
        (StageTieBreak.BEST_GAME, "the best game of A scored 2, that of B 1"),
        (StageTieBreak.LAST_TABLE, "at the last round’s table A had place 1, B 2"),
    ],
)
def test_a_tie_break_says_by_what_it_decides(tie_break: StageTieBreak, reason: str) -> None:
    played = stage(rules(tie_break, size=3), *ROUND_1, a=10, b=11)
    assert first_reason(played) == f"A and B have 12 points; {reason}"


def test_equal_wins_are_decided_by_the_first_place_reached_unlike_often() -> None:
    played = stage(rules(StageTieBreak.WINS, size=3), table(1, "xay"), table(1, "wzb"), a=10, b=11)
    assert first_reason(played) == "A and B have 11 points; A had place 2 in more games: 1, B 0"


def test_opponents_decide() -> None:
    played = stage(
        rules(StageTieBreak.OPPONENTS_SCORE, size=2),
        table(1, "xa"),
        table(1, "yb"),
        table(2, "xy"),
        a=9,
        b=9,
    )
    assert first_reason(played) == (
        "A and B have 9 points; the opponents of A have the higher score: 2, those of B 1"
    )


def test_who_has_no_table_in_the_last_round_is_told_so() -> None:
    played = stage(
        rules(StageTieBreak.LAST_TABLE, size=2), table(1, "ab"), table(2, "ca"), a=8, b=9
    )
    assert (
        first_reason(played)
        == "A and B have 9 points; A sat at a table in the last round, B did not"
    )


def test_seeding_decides() -> None:
    participants = tuple(
        [
            StageParticipant(id, id.upper(), seeding)
            for id, seeding in (("a", None), ("b", 2), ("c", 1))
        ]
    )
    rows = stage_ranking(StageResults(rules(StageTieBreak.SEEDING), participants, ()))
    assert [str(between(*pair)) for pair in pairwise(rows)] == [
        "C and B have 0 points; in the starting list C has number 1, B 2",
        "B and A have 0 points; B is in the starting list, A is not",
    ]


def test_lots_decide_and_the_tie_breaks_before_are_named() -> None:
    played = stage(
        rules(
            StageTieBreak.HEAD_TO_HEAD,
            StageTieBreak.WINS,
            StageTieBreak.BEST_GAME,
            StageTieBreak.LOTS,
        ),
        TableResult(1, ("a", "b")),
    )
    assert re.fullmatch(
        "(A|B) and (A|B) have 0 points; not separated by: head-to-head, wins and places and best "
        "game; "
        "the lots were drawn: (A|B) [0-9a-f]{8}, (A|B) [0-9a-f]{8}",
        first_reason(played),
    )


def test_who_shares_a_rank_is_told_that_nothing_separates() -> None:
    assert first_reason(stage(rules(), TableResult(1, ("a", "b")))) == (
        "A and B have 0 points, and no tie-break separates them: both have rank 1"
    )


def test_a_row_says_what_its_points_are_made_of() -> None:
    tables = (table(1, "abcd"), table(2, "xay"), TableResult(4, ("a", "b")))
    first, *_ = stage_ranking(
        stage(
            rules(StageTieBreak.WINS, StageTieBreak.LAST_TABLE),
            *tables,
            byes=(RoundBye(3, "a"),),
            a=1,
        )
    )
    assert list(map(str, explain_row(first))) == [
        "A has 7 points and rank 1",
        "carried over from before: 1 point",
        "round 1: place 1 of 4, 3 points",
        "round 2: place 2 of 3, counted as if at a table of 4: 1 1/2 points",
        "round 3: a bye, 1 1/2 points",
        "round 4: not over yet",
        "wins and places: 1–1",
    ]


DICE_DUELS = rules(scoring=StageScoring.CNTDICE, size=2, games=2)
KNOWN = game(1, 2, cntdice=(10, 5))


def test_a_table_that_is_over_is_not_called_unfinished_because_its_points_are_unknown() -> None:
    tables = (
        table(1, "ab"),
        TableResult(2, ("a", "b"), (KNOWN, game(1, 2))),
        TableResult(3, ("a", "b")),
    )
    first, *_ = stage_ranking(stage(DICE_DUELS, *tables))
    assert list(map(str, explain_row(first)))[1:] == [
        "round 1: over, but its points aren’t known yet",
        "round 2: place 1 of 2, 10 points",
        "round 2: games whose points aren’t known yet: 1",
        "round 3: not over yet",
    ]
    free, *_ = stage_ranking(stage(replace(DICE_DUELS, free=True), *tables))
    assert list(map(str, explain_row(free)))[1:] == [
        "table 1: over, but its points aren’t known yet",
        "table 2: place 1 of 2, 10 points",
        "table 2: games whose points aren’t known yet: 1",
        "table 3: not over yet",
    ]


def test_a_bye_is_not_ahead_of_a_win_in_silence() -> None:
    """The bye has ten points, the winner none that are known."""
    above, below, _ = stage_ranking(stage(DICE_DUELS, table(1, "ab"), byes=(RoundBye(1, "c"),)))
    assert (
        str(between(above, below))
        == "C has 20 points, A 0; this can change, as not all points are known yet"
    )


def test_who_left_after_a_game_without_points_is_ranked() -> None:
    played = stage(DICE_DUELS, table(1, "ab"))
    left = replace(
        played, participants=tuple(replace(one, withdrawn=True) for one in played.participants)
    )
    assert [row.participant.player_id for row in stage_ranking(left)] == ["a", "b"]


def test_a_game_without_points_counts_in_no_tie_break_either() -> None:
    by_wins = rules(
        StageTieBreak.WINS, StageTieBreak.HEAD_TO_HEAD, scoring=StageScoring.CNTDICE, size=2
    )
    rows = stage_ranking(stage(by_wins, table(1, "ab")))
    assert [row.rank for row in rows] == [1, 1]
    assert tables_unknown(stage(by_wins, table(1, "ab"), TableResult(2, ("a", "b"), (KNOWN,)))) == 1


def test_a_row_says_who_has_withdrawn() -> None:
    played = StageResults(
        rules(), (StageParticipant("a", "Ana", withdrawn=True),), (table(1, "ab"),)
    )
    (row,) = stage_ranking(played)
    assert "Ana has withdrawn" in map(str, explain_row(row))


@pytest.mark.parametrize(
    ("tie_break", "figure", "text"),
    [
        (StageTieBreak.WINS, (3, 1, 0, 2, 0, 0, 0, 0), "3–1–0–2"),
        (StageTieBreak.WINS, (0,) * 8, "0"),
        (StageTieBreak.LAST_TABLE, -2, "2"),
        (StageTieBreak.LAST_TABLE, NOWHERE, "–"),
        (StageTieBreak.HEAD_TO_HEAD, None, "–"),
        (StageTieBreak.POINTS_SHARE, Fraction(5, 6), "5/6"),
        (StageTieBreak.LOTS, 255, "00000000"),
    ],
)
def test_figures_are_written_for_people(
    tie_break: StageTieBreak, figure: object, text: str
) -> None:
    assert TIE_BREAKS[tie_break].figure_text(figure) == text  # type: ignore[arg-type]


def test_a_sentence_can_be_said_in_another_language() -> None:
    german = {
        "{above} has {more}, {below} {less}": "{above} hat {more}, {below} {less}",
        "{points} points": "{points} Punkte",
    }
    above, below, *_ = stage_ranking(stage(DUELS, table(1, "ab")))
    sentence = between(above, below)
    assert (
        sentence.translated(lambda template: german.get(template, template))
        == "A hat 2 Punkte, B 0"
    )
    assert Message.from_json(sentence.as_json()) == sentence


class Played:
    """What the tables of a stage that are over tell of somebody, worked out without the ranking."""

    def __init__(self, played: StageResults, player: str) -> None:
        self.player, self.rules = player, played.rules
        self.tables = [one for one in played.tables if one.games and player in one.players]
        self.places = {
            one.round_number: self.of(one, table_places(played.rules, one)) for one in self.tables
        }
        self.ranks = Counter(
            game.rank[one.players.index(player)] for one in self.tables for game in one.games
        )
        self.best = max(
            (
                self.of(one, game_scores(played.rules, game))
                for one in self.tables
                for game in one.games
            ),
            default=0,
        )
        self.lot = sha256(f"cups-up/lots/1\n{played.rules.seed}\n{player}".encode()).hexdigest()[:8]
        rounds = [
            *[one.round_number for one in played.tables],
            *[bye.round_number for bye in played.byes],
        ]
        self.results, self.rounds = played, max(rounds, default=0)
        self.last = self.places.get(self.rounds)
        self.seeding = next(
            (one.seeding for one in played.participants if one.player_id == player), None
        )

    def of(self, table: TableResult, numbers: Sequence[int]) -> int:
        return numbers[table.players.index(self.player)]

    def share(self) -> Fraction:
        within_reach = sum(most_score(self.rules, len(one.games)) for one in self.tables)
        return Fraction(
            sum(self.of(one, table_scores(self.rules, one)) for one in self.tables),
            within_reach or 1,
        )

    def met(self, other: "Played") -> dict[int, int]:
        """The rounds in which both sat at one table, with 1 if this one finished ahead there, −1
        behind, 0 level."""
        rounds = [one.round_number for one in self.tables if other.player in one.players]
        ours, its = self.places, other.places
        return {round: (ours[round] < its[round]) - (ours[round] > its[round]) for round in rounds}

    def figure_among(self, tied: Sequence["Played"]) -> Fraction:
        """2 for everybody of them whom this one finished ahead of, 1 for a shared place; the mean
        where they met more than once."""
        met = [self.met(other) for other in tied if other.player != self.player]
        return sum((1 + Fraction(sum(rounds.values()), len(rounds)) for rounds in met), Fraction(0))

    def won(self, *, lasting: bool = False) -> Fraction:
        """The points of the rounds; `lasting`: with the middle of a table for each round after the
        last one here."""
        byes = [bye.round_number for bye in self.results.byes if bye.player == self.player]
        own = [one for one in self.results.tables if self.player in one.players]
        parts = sum(self.of(one, table_scores(self.rules, one)) for one in own) + bye_score(
            self.rules
        ) * len(byes)
        missed = self.rounds - max([*byes, *[one.round_number for one in own]], default=0)
        return Fraction(parts + (missed * middle_score(self.rules) if lasting else 0), PARTS)

    def opponents_score(self) -> Fraction:
        """For each table that is over the mean of what those there won; else the own points, at
        most the middle of a table for every round."""
        middle = Fraction(self.rounds * middle_score(self.rules), PARTS)
        total = (self.rounds - len(self.tables)) * min(self.won(), middle)
        for one in self.tables:
            others = [
                Played(self.results, player) for player in one.players if player != self.player
            ]
            total += sum((other.won(lasting=True) for other in others), Fraction(0)) / len(others)
        return total


def holds(played: StageResults, reason: Message, above: Played, below: Played) -> bool:
    """Whether what a tie-break says of two is so."""
    values, words = reason.values, str(reason)
    more, less = str(values.get("more")), str(values.get("less"))
    if "they met" in words:
        met = above.met(below)
        numbers = re.findall(r"\d+", words.partition(", and")[0])
        return [int(number) for number in numbers] == list(met) and sum(met.values()) > 0
    if "have all met" in words:
        tied = [
            Played(played, player) for player in re.findall(r"player (\w+)", str(values["names"]))
        ]
        meetings = [
            one.met(other) for one in (above, below) for other in tied if one.player != other.player
        ]
        figures = [one.figure_among(tied) for one in (above, below)]
        return (
            all(meetings)
            and figures[0] > figures[1]
            and [more, less] == list(map(written, figures))
        )
    if "won more games" in words or "in more games" in words:
        place = int(str(values.get("place", 1)))
        level = all(above.ranks[rank] == below.ranks[rank] for rank in range(1, place))
        return level and above.ranks[place] == int(more) > int(less) == below.ranks[place]
    if "share of the points" in words:
        return above.share() > below.share() and [more, less] == [
            written(above.share()),
            written(below.share()),
        ]
    if "did not" in words:
        return above.last is not None and below.last is None
    if "last round’s table" in words:
        return (
            above.last is not None
            and below.last is not None
            and above.last == int(more) < int(less) == below.last
        )
    if "best game" in words:
        best = [written(Fraction(one.best, PARTS)) for one in (above, below)]
        return above.best > below.best and [more, less] == best
    if "is not" in words:
        return above.seeding is not None and below.seeding is None
    if "starting list" in words:
        return (
            above.seeding is not None
            and below.seeding is not None
            and [above.seeding, below.seeding] == [int(more), int(less)]
        )
    if "lots were drawn" in words:
        return [above.lot, below.lot] == [more, less] and more >= less
    scores = [one.opponents_score() for one in (above, below)]
    return (
        "opponents of" in words
        and scores[0] > scores[1]
        and [more, less] == list(map(written, scores))
    )


LEVEL: dict[str, Callable[[Played], object]] = {
    "wins and places": lambda one: one.ranks,
    "share of the points": Played.share,
    "opponents’ score": Played.opponents_score,
    "place at the last table": lambda one: one.last,
    "best game": lambda one: one.best,
    "seeding": lambda one: one.seeding,
    "lots": lambda one: one.lot,
}
"""What is the same of two whom a tie-break doesn't separate, by its name."""


@given(stages())
def test_every_two_neighbours_have_a_sentence_that_is_true(played: StageResults) -> None:
    """Worked out anew from the tables that are over."""
    rows = stage_ranking(played)
    for above, below in pairwise(rows):
        sentence = between(above, below)
        assert above.participant.name in sentence
        assert below.participant.name in sentence
        one, other = (
            Played(played, above.participant.player_id),
            Played(played, below.participant.player_id),
        )
        values, labels = (
            sentence.values,
            [TIE_BREAKS[name].label for name in played.rules.tie_breaks],
        )
        if "reason" in values:
            assert f"have {counted(above.points)}" in sentence
            assert above.rank < below.rank
            assert above.points == below.points
            reason = values["reason"]
            assert isinstance(reason, Message)
            assert holds(played, reason, one, other), sentence
            before = labels[: len(level_labels(sentence))]
            assert level_labels(sentence) == before, "those that count first, in their order"
        elif "no tie-break separates them" in sentence:
            assert f"both have rank {above.rank}" in sentence
            assert (above.points, above.rank) == (below.points, below.rank)
            before = labels
        else:
            assert above.points > below.points
            assert (amount(values["more"]), amount(values["less"])) == (above.points, below.points)
            before = []
        for label in before:
            if label in LEVEL:
                assert LEVEL[label](one) == LEVEL[label](other), label


def level_labels(sentence: Message) -> list[str]:
    """The tie-breaks that a sentence names as not separating two."""
    level = str(sentence.values.get("level", ""))
    return [part for part in re.split(r", | and (?!places)", level) if part]


def row_sentences(played: StageResults, row: StageRow) -> list[str]:
    """The sentences of a row, worked out anew from the tables and byes."""
    person, name, size = row.participant, row.participant.name, played.rules.size
    rounds = {}
    for one in played.tables:
        if person.player_id in one.players:
            number, seat, seats = (
                one.round_number,
                one.players.index(person.player_id),
                len(one.players),
            )
            points = counted(Fraction(table_scores(played.rules, one)[seat], PARTS))
            if not one.games:
                rounds[number] = f"round {number}: not over yet"
            elif seats == size or played.rules.scoring == StageScoring.TOTALS:
                rounds[number] = (
                    f"round {number}: place {table_places(played.rules, one)[seat]} of "
                    f"{seats}, {points}"
                )
            else:
                place = f"round {number}: place {table_places(played.rules, one)[seat]} of {seats}"
                rounds[number] = f"{place}, counted as if at a table of {size}: {points}"
    for bye in played.byes:
        if bye.player == person.player_id:
            points = counted(Fraction(bye_score(played.rules), PARTS))
            rounds[bye.round_number] = f"round {bye.round_number}: a bye, {points}"
    carried = [f"carried over from before: {counted(person.carried)}"] if person.carried else []
    figures = [
        f"{TIE_BREAKS[by].label}: {TIE_BREAKS[by].figure_text(figure)}"
        for by, figure in row.figures.items()
        if figure is not None and figure != NOWHERE
    ]
    withdrawn = [f"{name} has withdrawn"] if person.withdrawn else []
    first = f"{name} has {counted(row.points)} and rank {row.rank}"
    return [first, *carried, *[rounds[number] for number in sorted(rounds)], *withdrawn, *figures]


@given(stages())
def test_the_sentences_of_a_row_add_up_to_its_points(played: StageResults) -> None:
    for row in stage_ranking(played):
        sentences = explain_row(row)
        parts = [
            sentence.values["points"] for sentence in sentences[1:] if "points" in sentence.values
        ]
        assert sum(map(amount, parts)) == amount(sentences[0].values["points"]) == row.points
        assert [str(sentence) for sentence in sentences] == row_sentences(played, row)


def amount(points: object) -> Fraction:
    """The number that a sentence writes."""
    words = str(points).removesuffix("s").removesuffix(" point").split()
    return sum(map(Fraction, words), Fraction(0))


def test_a_game_that_all_share_separates_nobody() -> None:
    rows = stage_ranking(
        stage(rules(StageTieBreak.WINS), TableResult(1, tuple("abc"), (game(1, 1, 1),)))
    )
    assert {row.rank for row in rows} == {1}
