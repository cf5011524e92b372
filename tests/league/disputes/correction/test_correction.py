"""Corrections: what they take, what they refuse, and two of them at once."""

from functools import partial
from threading import Barrier

import pytest
from django.db import connection

from engine.illegal import Refused
from engine.record.reason import LENGTH
from games.models import Game
from league.disputes.correction.services import correction_preview, game_correct
from league.models import LogEntry, Season
from tests.factories.counted import add_games
from tests.factories.league import SeasonFactory
from tests.factories.records import bluff_record, line
from tests.league.standings.ranking.test_together import in_thread

OTHER = line(bluff_record(9, id="game-1"))
THIRD = line(bluff_record(8, id="game-1"))


def game_of_season() -> Game:
    season: Season = SeasonFactory.create()
    add_games(season, [bluff_record(1)])
    return Game.objects.get()


def code(game: Game, content: bytes, reason: str = "Two seats were mixed up.") -> str:
    with pytest.raises(Refused) as refused:
        game_correct(game=game, line=content, reason=reason)
    return refused.value.illegal.code


@pytest.mark.django_db
def test_each_refusal_has_its_code() -> None:
    game = game_of_season()
    assert code(game, b"{") == "bad_json"
    assert code(game, line(bluff_record(9))) == "wrong_id"
    assert code(game, OTHER, " ") == "reason_needed"
    assert code(game, OTHER, "x" * (LENGTH + 1)) == "reason_too_long"
    assert code(game, line(bluff_record(1))) == "unchanged"
    assert game_correct(game=game, line=OTHER, reason=" Why. ").reason == "Why."
    assert code(game, OTHER) == "unchanged"
    assert code(game, THIRD) == "conflict"
    assert code(game, line(bluff_record(1))) == "conflict"


@pytest.mark.django_db
def test_a_preview_refuses_what_the_correction_would() -> None:
    game = game_of_season()
    newer = game_correct(game=game, line=OTHER, reason="Why.")
    for of, content, wanted in (
        (game, THIRD, "conflict"),
        (newer, OTHER, "unchanged"),
        (newer, b"{", "bad_json"),
    ):
        with pytest.raises(Refused) as refused:
            correction_preview(game=of, line=content)
        assert refused.value.illegal.code == wanted
    assert correction_preview(game=newer, line=line(bluff_record(1))).new_players == ()


@pytest.mark.django_db
def test_what_an_earlier_revision_said_can_be_said_again() -> None:
    game = game_of_season()
    newer = game_correct(game=game, line=OTHER, reason="Why.")
    assert (
        game_correct(game=newer, line=line(bluff_record(1)), reason="It was right.").revision == 3
    )


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("contents", "codes"), [((OTHER, OTHER), {"unchanged"}), ((OTHER, THIRD), {"conflict"})]
)
def test_of_two_at_the_same_moment_one_corrects(
    contents: tuple[bytes, bytes], codes: set[str]
) -> None:
    game = game_of_season()
    failures: list[BaseException] = []
    start = Barrier(2)

    def correct(content: bytes) -> None:
        connection.ensure_connection()
        start.wait()
        game_correct(game=game, line=content, reason="Why.")

    threads = [in_thread(partial(correct, content), failures) for content in contents]
    for thread in threads:
        thread.join()
    assert {failure.illegal.code for failure in failures if isinstance(failure, Refused)} == codes
    assert (len(failures), Game.objects.count()) == (1, 2)
    assert LogEntry.objects.filter(action="game.corrected").count() == 1
