"""Players who share a place at a table of a knock-out, and how they are separated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.utils.translation import gettext

from engine.pairing.brackets.bracket_plan import plan
from engine.pairing.lots import lot
from engine.pairing.secret import place_seed
from engine.scoring.stage.results import TableResult
from engine.scoring.stage.rules import StageScoring
from engine.scoring.stage.table_points import table_places
from league.stages.result.domain.result import game_result, regular_games, stage_rules
from league.stages.result.domain.score import has_played
from league.stages.stage.domain.facts import PlayedGame, StageFacts, StageTable
from league.stages.stage.models import SharedPlace, Stage


def advancing_count(stage: Stage, label: str, count: int) -> int:
    """Return how many players go on from the table with this label in a knock-out of `count`
    players. At a table of two, the final included, it is one; at the match for third place it is
    none."""
    kind = stage.format_rules.bracket
    if kind is None:
        return 0
    if stage.sizes[0] == 2:
        return int(label != "third")
    planned = plan(count, stage.sizes[0], stage.advance, kind, stage.third)
    return next((table.advance for table in planned.tables if table.label == label), 0)


def places_at(stage: Stage, games: Sequence[PlayedGame]) -> dict[int, int]:
    """Return the places at a table, by entry, after its regular games and after the games that
    separated players who shared a place."""
    counted_games = regular_games(stage, games)
    if not counted_games:
        return {}
    rules = stage_rules(stage)
    if any(game.points is None for game in counted_games):
        rules = replace(rules, scoring=StageScoring.PLACEMENT)
    seats = counted_games[0].entries
    # The number of the round and the players don't matter for the places at the table.
    results = tuple(game_result(stage, game, seats).as_ruled for game in counted_games)
    places = dict(zip(seats, table_places(rules, TableResult(1, (), results)), strict=True))
    for game in games:
        if game.ranks is None or game in counted_games:
            continue
        shared_place = min(places[entry] for entry in game.entries)
        for entry, rank in zip(game.entries, game.ranks, strict=True):
            places[entry] = shared_place + rank - 1
    return places


def at_the_cut(places: Mapping[int, int], advance: int) -> tuple[int, ...]:
    """Return the entries that tie for going on from a table of a knock-out; none if there is no
    such tie.

    The best `advance` players go on. If several share a place, there may be room for some of them
    but not for all: these tie. `places`: the places at the table, by entry."""
    for place in sorted(set(places.values())):
        sharing = tuple(entry for entry in places if places[entry] == place)
        # The place goes on, but not with everybody who shares it.
        if place <= advance < place + len(sharing) - 1:
            return sharing
    return ()


def level_entries(
    stage: Stage, label: str, games: Sequence[PlayedGame], count: int
) -> tuple[int, ...]:
    """Return the entries that tie for going on from a table of a knock-out and have to play another
    game. There are none before the regular games are played, and in a stage in which lots separate
    players who tie. `count` players take part in the stage."""
    if not stage.knock_out or stage.separation != SharedPlace.GAME:
        return ()
    if not has_played(stage, [game.ranks for game in regular_games(stage, games)]):
        return ()
    if any(game.ranks is None for game in games):
        return ()
    return at_the_cut(places_at(stage, games), advancing_count(stage, label, count))


def is_played_out(stage: Stage, label: str, games: Sequence[PlayedGame], count: int) -> bool:
    """Return True if a table has played all its games: the regular ones and, in a knock-out, those
    between players who tie for going on. `count` players take part in the stage."""
    played = has_played(stage, [game.ranks for game in regular_games(stage, games)])
    return played and not level_entries(stage, label, games, count)


def level_words(facts: StageFacts, table: StageTable) -> list[str]:
    """Return sentences on the players who share the last place that goes on from a table of a
    knock-out, and on how they are separated."""
    stage = facts.stage
    if not stage.knock_out or not stage.separation:
        return []
    regular = regular_games(stage, table.games)
    if not has_played(stage, [game.ranks for game in regular]):
        return []
    advance = advancing_count(stage, table.label, len(facts.members))
    sharing = at_the_cut(places_at(stage, regular), advance)
    if not sharing:
        return []

    names = ", ".join(facts.members[entry].name for entry in sharing)
    if stage.separation == SharedPlace.GAME:
        words = gettext(
            "%(names)s share the last place that goes on. Another game between them decides who "
            "does."
        )
        return [words % {"names": names}]
    sharing_by_lot = sorted(
        sharing, key=lambda entry: lot_at(stage, table.public_id, facts.members[entry].entry_id)
    )
    order = ", ".join(facts.members[entry].name for entry in sharing_by_lot)
    words = gettext(
        "%(names)s share the last place that goes on. Lots from the stage’s secret put them in "
        "the order %(order)s. Everybody can check the lots once the stage is over."
    )
    return [words % {"names": names, "order": order}]


def lot_at(stage: Stage, table: str, entry_id: str) -> bytes:
    """Return the lot of an entry, by its public id, that separates it from others on a shared place
    at a table: the least lot is ahead."""
    seed = place_seed(stage.secret, table) if stage.secret else stage.seed
    return lot(seed, entry_id)
