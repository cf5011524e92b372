"""Each tie-break by a small example of its definition."""

from dataclasses import replace
from fractions import Fraction
from hashlib import sha256

from hypothesis import given

from engine.scoring.stage.results import RoundBye, StageParticipant, StageResults, TableResult
from engine.scoring.stage.rules import StageScoring
from engine.scoring.stage.scorebook import scorebook
from engine.scoring.stage.tie_breaks import (
    NOWHERE,
    Meeting,
    best_game,
    head_to_head,
    last_table,
    lots,
    meetings,
    opponents_score,
    points_share,
    seeding,
    wins,
)
from tests.engine.scoring.stage.build import game, rules, stage, stages, table

DUELS = rules(scoring=StageScoring.WIN_DRAW_LOSS, size=2)


def test_head_to_head_counts_who_finished_ahead_at_common_tables() -> None:
    book = scorebook(stage(rules(), table(1, "abcd"), table(2, "bade")))
    assert head_to_head(book, ["a", "c"]) == {"a": 2, "c": 0}
    assert head_to_head(book, ["a", "b"]) == {"a": 1, "b": 1}
    assert head_to_head(book, ["a", "b", "d"]) == {"a": 3, "b": 3, "d": 0}


def test_head_to_head_needs_that_all_who_are_tied_have_met() -> None:
    book = scorebook(stage(rules(), table(1, "abcd"), table(2, "bade")))
    assert head_to_head(book, ["c", "e"]) is None
    assert head_to_head(book, ["a", "c", "e"]) is None


def test_a_shared_place_counts_half_of_one_ahead() -> None:
    book = scorebook(stage(rules(), TableResult(1, ("a", "b", "c"), (game(1, 1, 3),))))
    assert head_to_head(book, ["a", "b"]) == {"a": 1, "b": 1}


def test_who_met_more_often_counts_by_the_mean() -> None:
    book = scorebook(
        stage(DUELS, table(1, "ab"), table(2, "ab"), table(3, "ba"), table(4, "ca"), table(5, "bc"))
    )
    assert head_to_head(book, ["a", "b", "c"]) == {"a": Fraction(4, 3), "b": Fraction(8, 3), "c": 2}


def test_meetings_are_told_by_round() -> None:
    book = scorebook(stage(DUELS, table(3, "ba"), table(1, "ab"), TableResult(2, ("a", "b"))))
    assert meetings(book, "a", "b") == (Meeting(1, 2), Meeting(3, 0))


def test_wins_come_first_then_seconds_and_thirds() -> None:
    book = scorebook(stage(rules(), table(1, "abcd"), table(2, "bacd"), table(3, "cabd")))
    assert wins(book, "a") == (1, 2, 0, 0, 0, 0, 0, 0)
    assert wins(book, "d") == (0, 0, 0, 3, 0, 0, 0, 0)


def test_every_game_of_a_table_has_its_win() -> None:
    book = scorebook(stage(rules(games=3), table(1, "ab", "ba", "ab")))
    assert wins(book, "a") == (2, 1, 0, 0, 0, 0, 0, 0)


def test_the_points_share_leaves_byes_and_points_carried_over_apart() -> None:
    book = scorebook(
        stage(rules(), table(1, "abcd"), table(2, "bacd"), byes=(RoundBye(3, "a"),), a=7)
    )
    assert points_share(book, "a") == Fraction(5, 6)
    assert points_share(scorebook(stage(rules(), byes=(RoundBye(1, "a"),))), "a") == 0


def test_the_opponents_score_is_the_mean_of_each_table_added_up() -> None:
    book = scorebook(
        stage(rules(), table(1, "abcd"), table(2, "abcd"), table(1, "efgh"), table(2, "efgh"))
    )
    assert opponents_score(book, "a") == 2 * Fraction(4 + 2 + 0, 3)
    assert opponents_score(book, "d") == 2 * Fraction(6 + 4 + 2, 3)


def test_a_short_table_counts_for_the_opponents_score_like_any_other() -> None:
    """Between the strongest and the weakest, as good an average opponent at three as at four."""
    book = scorebook(stage(rules(), table(1, "abcd"), table(1, "xyz")))
    assert opponents_score(book, "b") == Fraction(3 + 1 + 0, 3)
    assert opponents_score(book, "y") == Fraction(3 + 0, 2)


def test_in_a_round_without_a_table_ones_own_points_stand_for_opponents_up_to_the_middle() -> None:
    """FIDE C.07 16.4 and 16.4.2."""
    played = stage(
        DUELS,
        table(1, "ab"),
        table(2, "ac"),
        byes=(RoundBye(1, "c"), RoundBye(2, "b"), RoundBye(3, "d")),
    )
    book = scorebook(played)
    assert book.rounds == 3
    assert opponents_score(book, "d") == 3 * 2
    assert opponents_score(book, "a") == (2 + 2 * 1) + (2 + 1) - 1 + 3


def test_an_opponent_who_left_counts_as_in_the_middle_since_then() -> None:
    """FIDE C.07 16.3: who loses the first round and goes home doesn't cost the one who won it."""
    stays = scorebook(
        stage(
            DUELS,
            table(1, "ab"),
            table(2, "ac"),
            table(2, "db"),
            byes=(RoundBye(1, "c"), RoundBye(1, "d")),
        )
    )
    leaves = scorebook(
        stage(DUELS, table(1, "ab"), table(2, "ac"), byes=(RoundBye(1, "c"), RoundBye(2, "d")))
    )
    assert opponents_score(stays, "a") == 0 + 2
    assert opponents_score(leaves, "a") == 1 + 2


def test_points_carried_over_make_no_stronger_opponent() -> None:
    assert opponents_score(scorebook(stage(DUELS, table(1, "ab"), b=9)), "a") == 0


def test_the_last_table_is_that_of_the_stages_last_round() -> None:
    book = scorebook(stage(rules(), table(1, "abcd"), table(1, "efgh"), table(2, "beaf")))
    assert [last_table(book, player) for player in "beafc"] == [-1, -2, -3, -4, NOWHERE]


def test_the_best_game_is_measured_by_the_wanted_size() -> None:
    book = scorebook(stage(rules(), table(1, "abc"), table(2, "bac")))
    assert best_game(book, "a") == 3
    assert best_game(book, "c") == 0
    best_of = scorebook(
        stage(rules(scoring=StageScoring.BEST_OF, games=3), table(1, "abc", "bac", "bca"))
    )
    assert best_game(best_of, "a") == 3


def test_seeding_is_the_place_in_the_starting_list() -> None:
    participants = (StageParticipant("a", "A", seeding=2), StageParticipant("b", "B"))
    book = scorebook(StageResults(rules(), participants, ()))
    assert (seeding(book, "a"), seeding(book, "b")) == (-2, NOWHERE)


def test_lots_come_from_the_events_seed_and_the_id_alone() -> None:
    digest = sha256(b"cups-up/lots/1\nautumn cup\np7").hexdigest()
    assert lots(scorebook(stage(rules())), "p7") == int(digest, 16)


@given(stages())
def test_figures_are_those_that_the_definitions_give_when_worked_out_by_hand(
    played: StageResults,
) -> None:
    """By placement, one game a table, with fractions and loops instead of a scorebook."""
    one_game = [replace(one, games=one.games[:1]) for one in played.tables]
    placed = replace(played, rules=replace(rules(size=played.rules.size)), tables=tuple(one_game))
    book, size = scorebook(placed), played.rules.size
    rounds = max(
        [0, *(one.round_number for one in one_game), *(bye.round_number for bye in placed.byes)]
    )
    bye = Fraction(size - 1) if size == 2 else Fraction(size - 1, 2)

    def won(player: str) -> Fraction:
        brought = [bye for given in placed.byes if given.player == player]
        for one in one_game:
            for rank in [ranks_of(one, player)] if one.games and player in one.players else []:
                behind = sum(other > rank for other in one.games[0].rank)
                brought.append(Fraction(behind * (size - 1), len(one.players) - 1))
        return sum(brought, Fraction(0))

    def left_after(player: str) -> int:
        seen = [one.round_number for one in one_game if player in one.players]
        return max(
            [0, *seen, *(given.round_number for given in placed.byes if given.player == player)]
        )

    for player in {one.player_id for one in placed.participants}:
        own = [one for one in one_game if one.games and player in one.players]
        expected = (rounds - len(own)) * min(won(player), Fraction(rounds * (size - 1), 2))
        for one in own:
            others = [other for other in one.players if other != player]
            lasting = [
                won(other) + (rounds - left_after(other)) * Fraction(size - 1, 2)
                for other in others
            ]
            expected += sum(lasting, Fraction(0)) / len(others)
        assert opponents_score(book, player) == expected
        assert wins(book, player) == tuple(
            [sum(ranks_of(one, player) == place for one in own) for place in range(1, 9)]
        )
        from_tables = won(player) - sum(
            [bye for given in placed.byes if given.player == player], Fraction(0)
        )
        assert points_share(book, player) == from_tables / (len(own) * (size - 1) or 1)


def ranks_of(one: TableResult, player: str) -> int:
    return one.games[0].rank[one.players.index(player)]
