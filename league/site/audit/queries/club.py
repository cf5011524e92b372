"""Checks of a club: its log, its games, and what its rankings and events make of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from games.domain.difference import Checkpoint, VerifiedBatch
from games.models import Game
from games.queries.verification import game_differences
from league.core.club.models import Club
from league.core.log.ledger import ledger_differences
from league.core.log.verification import verify_log_entries
from league.core.player.queries.verification import handle_differences, player_differences
from league.counting.event_rebuild.queries.verification import event_differences
from league.events.event.models import Event
from league.play.online_table.queries import online_game_differences
from league.records.game.queries.verification import (
    logged_game_differences,
    seat_differences,
    verify_sealings,
    void_differences,
)
from league.sheets.sheet.queries.verification import place_differences, verify_open_games
from league.site.audit.queries.ranking import verify_ranking
from league.stages.draw.queries.verification import reason_differences
from league.stages.table.queries.verification import table_game_differences
from league.standings.ranking.models import Ranking

GAMES: Final = 100
"""Games whose facts are verified in one batch."""


def _verify_log(club: Club, checkpoint: Checkpoint) -> VerifiedBatch:
    return verify_log_entries(club.pk, club.public_id, checkpoint)


def _verify_rows(club: Club, checkpoint: Checkpoint) -> VerifiedBatch:
    """Verify the rows that people have set, all in one batch, since they are far fewer than games.
    `checkpoint` isn't used: all checks get one."""
    return VerifiedBatch(
        [
            *player_differences(club.pk),
            *handle_differences(club.pk),
            *ledger_differences(club.pk),
            *void_differences(club),
            *reason_differences(club),
            *table_game_differences(club),
            *place_differences(club),
            *online_game_differences(club),
        ],
        None,
    )


def _verify_games(club: Club, checkpoint: Checkpoint) -> VerifiedBatch:
    last_id = checkpoint.get("game", 0)
    games = Game.objects.filter(source=club.source, pk__gt=last_id).order_by("pk")
    game_ids = list(games.values_list("pk", flat=True)[:GAMES])
    differences = [
        *logged_game_differences(club, game_ids),
        *seat_differences(club, game_ids),
        *game_differences(game_ids),
    ]
    return VerifiedBatch(differences, {"game": game_ids[-1]} if len(game_ids) == GAMES else None)


OF_CLUB: Final[tuple[Callable[[Club, Checkpoint], VerifiedBatch], ...]] = (
    _verify_log,
    _verify_rows,
    verify_sealings,
    _verify_games,
    verify_open_games,
)
"""The checks of the club itself, in order."""


class Section(NamedTuple):
    """A part of an audit: one check of the club itself, one ranking, or one event. `kind`:
    `CLUB`, `RANKING` or `EVENT`. `subject`: what is verified: the check's index in `OF_CLUB`, or
    the row id of the ranking or event."""

    kind: int
    subject: int

    def verify(self, club_id: int, checkpoint: Checkpoint, *, styles: bool) -> VerifiedBatch:
        """Verify the next batch of the section. Call it in a snapshot. `styles`: verify a ranking's
        playing styles, too."""
        if self.kind == CLUB:
            verify_batch = OF_CLUB[self.subject]
            return verify_batch(Club.objects.get(pk=club_id), checkpoint)
        if self.kind == RANKING:
            return verify_ranking(self.subject, checkpoint, with_styles=styles)
        # An event is small enough for one batch.
        return VerifiedBatch(list(event_differences(self.subject)), None)


CLUB, RANKING, EVENT = range(3)
FIRST: Final = Section(CLUB, 0)


def section_after(club_id: int, section: Section) -> Section | None:
    """Return the section of the club's audit that follows this one; None after the last."""
    if section.kind == CLUB and section.subject + 1 < len(OF_CLUB):
        return Section(CLUB, section.subject + 1)
    for kind, rows in ((RANKING, Ranking.objects), (EVENT, Event.objects)):
        if kind < section.kind:
            continue
        last_id = section.subject if kind == section.kind else 0
        later_rows = rows.filter(club=club_id, pk__gt=last_id).order_by("pk")
        next_id = later_rows.values_list("pk", flat=True).first()
        if next_id is not None:
            return Section(kind, next_id)
    return None
