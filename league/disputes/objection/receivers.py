"""What objections tell rankings, and do when a game is voided or something came too late for its
sheet."""

import json
from contextlib import suppress

from django.utils.translation import gettext, override

from engine.illegal import Refused
from engine.sheet.entry import ASIDES
from games.models import Game, SealedSheet, SheetBranch
from league.core.log.services import Actor, Journal
from league.disputes.objection.models import ObjectionEnd
from league.disputes.objection.queries.objection import objected, own_seat_of
from league.disputes.objection.services import objection_raise, objections_close
from league.sheets.branch.services import branch_kept
from league.stages.result.services.void import game_voided
from league.standings.ranked_game.queries.provisional import provisional_conditions

provisional_conditions.add(objected)


@game_voided.add
def objections_follow(journal: Journal, game: Game, role: str) -> None:
    """End the objections to a game that counts for nothing any more."""
    objections_close(journal=journal, game=game, way=ObjectionEnd.Way.VOIDED, role=role)


@branch_kept.add
def branch_objects(branch: SheetBranch, account: int | None) -> None:
    """Object, for the seat of who wrote it, to a result that was sealed from something else than
    what came too late. Nobody objects for who doesn't sit there, nor where objections aren't taken:
    the sheet's page shows it all the same."""
    sealed = (
        SealedSheet.objects.select_related("game__season_game__season__club")
        .filter(sheet=branch.sheet)
        .first()
    )
    if sealed is None or not _differs(branch):
        return
    seat = own_seat_of(sealed.game, account)
    with suppress(Refused), override(sealed.game.season_game.season.club.language):
        if seat is not None:
            objection_raise(
                game=sealed.game,
                seat=seat,
                word=gettext("Something else was written on this seat’s phone."),
                actor=Actor(account),
            )


def _differs(branch: SheetBranch) -> bool:
    """True if what came too late isn't what others wrote in its place."""
    late = [(entry["act"], entry["value"]) for entry in json.loads(branch.entries)]
    since = branch.sheet.entries.filter(number__gte=branch.after).exclude(act__in=ASIDES)
    rows = since.order_by("number").values_list("act", "value")
    return late != [(act, json.loads(value)) for act, value in rows[: len(late)]]
