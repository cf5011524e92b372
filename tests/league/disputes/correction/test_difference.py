"""What the API tells of a correction."""

import pytest

from games.models import Game
from league.disputes.correction.services import game_correct
from league.models import Season, User, Visibility
from tests.factories.records import bluff_record, line
from tests.league.core.frame.api.programs import code_of, get, play

pytestmark = pytest.mark.django_db


def corrected(season: Season, scorer: User) -> tuple[Game, Game]:
    """A game and the revision that corrects it: another table, and one die of the first round."""
    play(season, 1, rounds=1)
    record = bluff_record(1, rounds=1, table="7")
    hand = record["rounds"][0]["revealed"][0]
    record["rounds"][0]["revealed"][0] = "1" * len(hand)
    game = Game.objects.get()
    return game, game_correct(
        game=game, line=line(record), reason="It was another table.", entered_by_id=scorer.pk
    )


def test_the_difference_tells_the_values_and_the_rounds(season: Season, scorer: User) -> None:
    old, new = corrected(season, scorer)
    answer = get(f"/games/{new.public_id}/difference/").json()
    assert (answer["game"], answer["corrects"]) == (
        f"/api/v1/games/{new.public_id}/",
        f"/api/v1/games/{old.public_id}/",
    )
    assert answer["header"] == [{"path": "table", "before": None, "after": "7"}]
    (change,) = answer["rounds"]
    before = bluff_record(1, rounds=1)["rounds"][0]["revealed"]
    assert (change["number_before"], change["number_after"]) == (1, 1)
    assert change["before"]["revealed"] == before
    assert change["changes"] == [
        {"path": "revealed[0]", "before": before[0], "after": "1" * len(before[0])}
    ]


def test_a_game_says_what_it_corrects_by_whom_and_where_the_difference_is(
    season: Season, scorer: User
) -> None:
    old, new = corrected(season, scorer)
    first, second = (get(f"/games/{game.public_id}/").json() for game in (old, new))
    assert (first["corrected_by"], second["corrects"]) == (second["url"], first["url"])
    assert (second["reason"], second["entered_by"]) == ("It was another table.", scorer.public_id)
    assert (first["difference"], second["difference"]) == (None, f"{second['url']}difference/")


def test_a_game_that_corrects_none_has_no_difference(season: Season) -> None:
    play(season, 1)
    assert code_of(get(f"/games/{Game.objects.get().public_id}/difference/")) == (404, "not_found")


def test_who_doesnt_see_the_game_doesnt_see_the_difference(season: Season, scorer: User) -> None:
    _, new = corrected(season, scorer)
    Season.objects.update(visibility=Visibility.MEMBERS)
    assert code_of(get(f"/games/{new.public_id}/difference/")) == (404, "not_found")
