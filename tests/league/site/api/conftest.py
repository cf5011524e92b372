"""Something to be found at every address of the API, and a handler to ask for it that keeps the test's transaction."""

from collections.abc import Iterator

import pytest
from django.core.signals import request_finished, request_started
from django.db import close_old_connections

from games.models import Game
from league.log.services import Actor
from league.models import Player, Season
from league.rankings.services.counting import ranking_count
from league.rankings.services.season import all_time_create
from league.rankings.services.style import styles_read
from league.rulings.services import game_correct
from tests.factories.records import bluff_record, line
from tests.league.frame.api.programs import play


@pytest.fixture
def open_database(db: None) -> Iterator[None]:
    """Keep the test's transaction: the WSGI handler would close its connection after each request."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@pytest.fixture
def known(season: Season) -> dict[str, object]:
    """What the paths' parameters may be to find something."""
    play(season, 1, 2)
    game = game_correct(
        game=Game.objects.get(external_id="game-2"),
        line=line(bluff_record(2, table="other")),
        reason="It was another table.",
    )
    ranking_count(ranking_id=season.ranking_id)
    all_time = all_time_create(club=season.club, actor=Actor())
    ranking_count(ranking_id=all_time.ranking_id)
    for ranking_id in (season.ranking_id, all_time.ranking_id):
        styles_read(ranking_id=ranking_id)
    return {
        "club": "stern",
        "season": "autumn",
        "game": game.public_id,
        "player": Player.objects.all()[0].public_id,
    }
