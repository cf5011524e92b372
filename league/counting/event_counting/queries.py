"""A season counted by its events, and its divisions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from engine.scoring.event_points import (
    EventFinish,
    EventResult,
    EventRules,
    EventsRow,
    Per,
    season_by_events,
)
from engine.scoring.stage.results import PARTS
from league.core import sql
from league.counting.event_counting.domain import DivisionRows, NamedPlayer
from league.counting.event_counting.models import EventCounting
from league.standings.season.models import Season


def counting_of(season: Season) -> EventCounting | None:
    """Read how the events of a season count together, if they do."""
    return EventCounting.objects.filter(season=season).first()


def events_ranking(
    season: Season,
    counting: EventCounting,
    finals: Mapping[int, tuple[int, int]] | None = None,
    entries: Mapping[int, tuple[bool, NamedPlayer | None]] | None = None,
) -> tuple[tuple[EventsRow, ...], dict[str, NamedPlayer]]:
    """The ranking of a season by its events, and the players in it by public id; one query. An
    event in divisions brings each of them what it would if that had been played alone.

    `finals`: final ranks and points, by entry, that count in place of those that are stored.
    `entries`: likewise whether one is a guest's, and for whom it counts."""
    rules = EventRules(
        Per(counting.per),
        counting.best,
        tuple(counting.points_table) if counting.points_table else None,
    )
    results: dict[tuple[str, str], tuple[int, str, list[EventFinish]]] = {}
    people: dict[str, NamedPlayer] = {}
    rows = sql.rows(
        """
        SELECT event.slug, dense_rank() OVER (ORDER BY event.starts_at, event.id),
            event.name, COALESCE(division.name, ''), entry.id, final.rank, final.points,
            entry.guest, player.public_id, player.handle, player.name, other.public_id,
            other.handle, other.name
        FROM league_event event
        JOIN league_finalrank final ON final.event_id = event.id
        JOIN league_entry entry ON entry.id = final.entry_id
        JOIN league_player own ON own.id = entry.player_id
        JOIN league_player player ON player.id = COALESCE(own.merged_into_id, own.id)
        LEFT JOIN league_player regular ON regular.id = entry.substitutes_id
        LEFT JOIN league_player other ON other.id = COALESCE(regular.merged_into_id, regular.id)
        LEFT JOIN league_stage first ON first.event_id = event.id
            AND first.number = 1
            AND NOT EXISTS (
                SELECT
                FROM league_stage s
                WHERE s.event_id = event.id AND s.status <> 'planned' AND NOT s.by_division
            )
        LEFT JOIN league_participant own_group ON own_group.stage_id = first.id
            AND own_group.entry_id = entry.id
        LEFT JOIN league_group division ON division.id = own_group.group_id
        WHERE event.season_id = %s AND event.status = 'finished'
        ORDER BY event.starts_at, final.rank
        """,
        [season.pk],
    )
    for slug, number, title, division, entry, rank, points, guest, *names in rows:
        rank, points = (finals or {}).get(entry, (rank, points))
        player, regular = NamedPlayer(*names[:3]), NamedPlayer(*names[3:]) if names[3] else None
        guest, regular = (entries or {}).get(entry, (guest, regular))
        people[player.public_id] = player
        if regular is not None:
            people[regular.public_id] = regular
        whom = regular and regular.public_id
        title = f"{title}, {division}" if division else title
        results.setdefault((slug, division), (number, title, []))[2].append(
            EventFinish(player.public_id, rank, Fraction(points, PARTS), guest, whom)
        )
    events = [
        EventResult(slug, number, title, tuple(rows))
        for (slug, _), (number, title, rows) in results.items()
    ]
    return season_by_events(rules, events), people


def divisions_of(season: Season) -> list[DivisionRows]:
    """The divisions of a season, the highest first, ranked by the season's table, or by its events
    if those count."""
    counting = counting_of(season)
    places: dict[str, tuple[int, ...]] = {}
    if counting is not None:
        placed, _ = events_ranking(season, counting)
        places = {row.player: (row.rank,) for row in placed}
    rows = sql.rows(
        """
        SELECT division.public_id, division.name, division.up, division.down,
            player.public_id, player.name, standing.key
        FROM league_division division
        LEFT JOIN league_divisionplayer own ON own.division_id = division.id
        LEFT JOIN league_player player ON player.id = own.player_id
        LEFT JOIN league_standing standing ON standing.player_id = player.id
            AND standing.ranking_id = %s
        WHERE division.season_id = %s
        ORDER BY division.number, player.name
        """,
        [season.ranking_id, season.pk],
    )
    players_by_division: dict[
        tuple[str, str, int, int], list[tuple[str, str, tuple[int, ...]]]
    ] = {}
    for public_id, name, up, down, player, player_name, key in rows:
        members = players_by_division.setdefault((public_id, name, up, down), [])
        if player is not None:
            by_games = () if key is None else tuple(-part for part in key)
            members.append((player, player_name, places.get(player, ()) if counting else by_games))
    return [
        DivisionRows(*division, _ranked(members))
        for division, members in players_by_division.items()
    ]


def _ranked(members: list[tuple[str, str, tuple[int, ...]]]) -> tuple[tuple[str, str, int], ...]:
    """Players with their ranks in the division, equal ones shared; without a game they come last,
    together."""
    ordered = sorted(members, key=lambda member: (not member[2], member[2], member[1]))
    first: dict[tuple[int, ...], int] = {}
    return tuple(
        (player_id, name, first.setdefault(place, rank))
        for rank, (player_id, name, place) in enumerate(ordered, start=1)
    )
