"""Addresses of cards to share."""

from django.urls import path

from league.core.player.urls import PLAYER
from league.events.event.urls import EVENT
from league.records.game.urls import GAME
from league.site.card.web import event_card, game_card, player_card, season_card
from league.standings.season.urls import SEASON

pages = [
    path(f"{EVENT}/card.png", event_card, name="event-card"),
    path(f"{SEASON}/card.png", season_card, name="season-card"),
    path(f"{PLAYER}/card.png", player_card, name="player-card"),
    path(f"{GAME}/card.png", game_card, name="game-card"),
]
