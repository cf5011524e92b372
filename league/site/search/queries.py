"""Searching what the viewer may see: players, games, seasons, events. One query each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from django.db.models import Exists, F, OuterRef, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast, Concat

from games.models import Game
from league.core.club.models import Club
from league.core.frame.name_key import Folded, NameKey, closest_names, folded_words
from league.core.player.models import Player, words_begin
from league.core.player.queries.player import LOOKED_AT, MOST_ALIKE, players_alike
from league.core.viewer.queries.access import Viewer
from league.events.event.models import Event
from league.events.event.queries.access import visible_events
from league.standings.ranked_game.models import RankedGame
from league.standings.ranked_game.queries.ranked import has_seat_in
from league.standings.season.models import Season, SeasonGame
from league.standings.season.queries.access import visible_rankings, visible_seasons

SHOWN: Final = 50
"""The most results of each kind."""
Row = TypeVar("Row")
Named = TypeVar("Named", Season, Event)


@dataclass(frozen=True, slots=True)
class FirstResults(Generic[Row]):
    """The first results, and True if there are `more`."""

    shown: Sequence[Row]
    more: bool

    @classmethod
    def of(cls, rows: QuerySet[Any, Any]) -> FirstResults[Any]:
        """Return the first rows of a query set, in one query."""
        first = list(rows[: SHOWN + 1])
        return FirstResults(first[:SHOWN], len(first) > SHOWN)


def players_called(viewer: Viewer, text: str) -> FirstResults[Player]:
    """Return the players with a name or handle in which each word of the text is the beginning of a
    word, ignoring case and accents, by name, with their clubs."""
    matches = Player.objects.filter(words_begin(text), merged_into=None).values("pk")[:LOOKED_AT]
    players = Player.objects.select_related("club").filter(
        has_seat_in(visible_rankings(viewer), "pk"), pk__in=matches
    )
    return FirstResults.of(players.order_by("name_key", "pk"))


def names_close(viewer: Viewer, text: str) -> list[str]:
    """Return the visible names of players, seasons and events that a text without results may mean.

    Three queries: for players among `players_alike`, for seasons and events among the latest
    `MOST_ALIKE`.
    """
    alike = players_alike(Player.objects.filter(merged_into=None), text)
    players = Player.objects.filter(
        has_seat_in(visible_rankings(viewer), "pk"), pk__in=alike.values("pk")
    )
    names = dict(players.values_list("name", "search_text"))
    latest_seasons = visible_seasons(viewer).order_by("-starts_on", "pk")[:MOST_ALIKE]
    latest_events = visible_events(viewer).order_by("-starts_at", "pk")[:MOST_ALIKE]
    for rows in (latest_seasons, latest_events):
        names |= {name: f"{name} {club}" for name, club in rows.values_list("name", "club__name")}
    return closest_names(text, names)


def games_found(viewer: Viewer, game_id: str) -> FirstResults[SeasonGame]:
    """Return the games with this id, either of the record or from the game's address, with their
    seasons and clubs."""
    sources = Club.objects.values(
        source=Concat(Value("club:"), Cast("pk", TextField()), output_field=TextField())
    )  # as in `Club.source`
    by_record = Game.objects.filter(source__in=sources, external_id=game_id)
    by_address = Game.objects.filter(public_id=game_id.lower())
    games = SeasonGame.objects.filter(season__in=visible_seasons(viewer)).select_related(
        "game", "season__club"
    )
    matches = games.filter(game__in=by_record.values("pk").union(by_address.values("pk")))
    return FirstResults.of(matches.order_by(F("game__played_at").desc(nulls_last=True), "-game"))


def seasons_found(viewer: Viewer, text: str) -> FirstResults[Season]:
    """Return the seasons with all words of the text in their name or their club's name, the latest
    first, with their clubs."""
    return FirstResults.of(
        _with_all_words(visible_seasons(viewer), text).order_by("-starts_on", NameKey("name"), "pk")
    )


def events_named(viewer: Viewer, text: str) -> FirstResults[Event]:
    """Return the events with all words of the text in their name or their club's name, the latest
    first, with their clubs."""
    return FirstResults.of(
        _with_all_words(visible_events(viewer), text).order_by("-starts_at", "pk")
    )


def _with_all_words(rows: QuerySet[Named], text: str) -> QuerySet[Named]:
    parts = [Q(called__contains=part) for part in folded_words(text)]
    if not parts:
        return rows.none()
    return rows.select_related("club").alias(called=Folded("name", "club__name")).filter(*parts)


def events_found(viewer: Viewer, slug: str) -> FirstResults[Season]:
    """Return the seasons with games of an event that has this slug but no page, the latest first,
    with their clubs."""
    played = RankedGame.objects.filter(ranking=OuterRef("ranking"), event=slug, event__gt="")
    planned = Event.objects.filter(season=OuterRef("pk"), slug=slug)
    seasons = (
        visible_seasons(viewer).select_related("club").filter(Exists(played), ~Exists(planned))
    )
    return FirstResults.of(seasons.order_by("-starts_on", NameKey("name"), "pk"))
