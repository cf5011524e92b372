"""A season ranked by its events, and its divisions."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

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
    """Return how the events of a season count together; None if they don't."""
    return EventCounting.objects.filter(season=season).first()


FINISHES: Final = """
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
"""
"""The final ranks of a season's events, with the division that an entry played in, and the player a
substitute played for."""


def events_ranking(
    season: Season,
    counting: EventCounting,
    finals: Mapping[int, tuple[int, int]] | None = None,
    entries: Mapping[int, tuple[bool, NamedPlayer | None]] | None = None,
) -> tuple[tuple[EventsRow, ...], dict[str, NamedPlayer]]:
    """Return the ranking of a season by its events, and its players by public id. One query. In an
    event with divisions, each division counts like an event of its own.

    `finals`: final ranks and points, by entry, to use instead of the stored ones. `entries`: by
    entry, whether it is a guest's, and the player for whom it counts, to use instead of the stored
    ones.
    """
    points_table = tuple(counting.points_table) if counting.points_table else None
    rules = EventRules(Per(counting.per), counting.best, points_table)
    finals = finals or {}
    entries = entries or {}
    results: dict[tuple[str, str], tuple[int, str, list[EventFinish]]] = {}
    people: dict[str, NamedPlayer] = {}
    rows = sql.rows(FINISHES, [season.pk])
    for slug, number, title, division, entry, rank, points, guest, *names in rows:
        rank, points = finals.get(entry, (rank, points))
        # The names are public id, handle and name of the player, then of the player replaced.
        player = NamedPlayer(*names[:3])
        regular = NamedPlayer(*names[3:]) if names[3] else None
        guest, regular = entries.get(entry, (guest, regular))
        people[player.public_id] = player
        regular_id = None
        if regular is not None:
            people[regular.public_id] = regular
            regular_id = regular.public_id
        finish = EventFinish(player.public_id, rank, Fraction(points, PARTS), guest, regular_id)
        label = f"{title}, {division}" if division else title
        _, _, finishes = results.setdefault((slug, division), (number, label, []))
        finishes.append(finish)
    events = [
        EventResult(slug, number, label, tuple(finishes))
        for (slug, _), (number, label, finishes) in results.items()
    ]
    return season_by_events(rules, events), people


def divisions_of(season: Season) -> list[DivisionRows]:
    """Return the divisions of a season, the highest first, with their players ranked by the
    season's events if these count together, otherwise by the season's table."""
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
        ORDER BY division.number, player.name_key, player.id
        """,
        [season.ranking_id, season.pk],
    )
    players_by_division: dict[
        tuple[str, str, int, int], list[tuple[str, str, tuple[int, ...]]]
    ] = {}
    for public_id, name, up, down, player, player_name, key in rows:
        members = players_by_division.setdefault((public_id, name, up, down), [])
        if player is None:
            continue
        place: tuple[int, ...] = ()
        if counting is not None:
            place = places.get(player, ())
        elif key is not None:
            # Keys are better the greater they are, places the smaller they are.
            place = tuple(-part for part in key)
        members.append((player, player_name, place))
    return [
        DivisionRows(*division, _ranked(members))
        for division, members in players_by_division.items()
    ]


def _ranked(members: list[tuple[str, str, tuple[int, ...]]]) -> tuple[tuple[str, str, int], ...]:
    """Return id, name and rank of the members (id, name, place); equal places share a rank and stay
    in their order, and players without a game share the last one."""

    def games_and_place(member: tuple[str, str, tuple[int, ...]]) -> tuple[bool, object]:
        *_, place = member
        has_no_game = not place
        return has_no_game, place

    ordered = sorted(members, key=games_and_place)
    first_rank: dict[tuple[int, ...], int] = {}
    ranked = []
    for number, (player_id, name, place) in enumerate(ordered, start=1):
        rank = first_rank.setdefault(place, number)
        ranked.append((player_id, name, rank))
    return tuple(ranked)
