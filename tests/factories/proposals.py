"""A correction that somebody proposes who sat at a game."""

from __future__ import annotations

import json

from engine.record.write import write
from games.models import Game
from games.queries.game import sealed_record
from league.core.log.services import Actor
from league.disputes.agreement.services import correction_propose
from league.models import Player, Proposal
from league.standings.player.services import player_link
from tests.factories.league import UserFactory


def turned(game: Game) -> bytes:
    """The record of a game of which the end is known, in which the places are the other way
    round."""
    record = json.loads(write(sealed_record(game)[0]))
    record["outcome"]["rank"].reverse()
    return json.dumps(record).encode()


def proposed_correction(game: Game) -> Proposal:
    """What the second seat of a game, to which somebody objects, proposes: the places the other way
    round."""
    game = Game.objects.select_related(
        "season_game__season__club", "season_game__season__ranking"
    ).get(pk=game.pk)
    player = Player.objects.get(
        club=game.season_game.season.club, handle=game.seats.get(number=1).handle
    )
    if player.user is None:
        player_link(player=player, account=UserFactory.create(), actor=Actor())
        player.refresh_from_db()
    return correction_propose(game=game, line=turned(game), actor=Actor(player.user_id))
