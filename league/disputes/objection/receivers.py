"""What objections do in hooks of other nouns: mark results as provisional, end when a game is
voided, and begin when a phone's entries come too late."""

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
    """End the objections to a game that was voided."""
    objections_close(journal=journal, game=game, way=ObjectionEnd.Way.VOIDED, role=role)


@branch_kept.add
def branch_objects(branch: SheetBranch, account: int | None) -> None:
    """Object to a sealed result, for the seat of the phone's account, if the phone's late entries
    (the branch of the sheet) differ from the result.

    Raise no objection for an account without a seat, or if the event takes no objections: the
    sheet's page shows the late entries all the same."""
    sealed_sheets = SealedSheet.objects.select_related("game__season_game__season__club")
    sealed = sealed_sheets.filter(sheet=branch.sheet).first()
    if sealed is None or not _differs_from_sheet(branch):
        return
    seat = own_seat_of(sealed.game, account)
    if seat is None:
        return
    with suppress(Refused), override(sealed.game.season_game.season.club.language):
        word = gettext("The phone at this seat recorded something else.")
        objection_raise(game=sealed.game, seat=seat, word=word, actor=Actor(account))


def _differs_from_sheet(branch: SheetBranch) -> bool:
    late_entries = [(entry["act"], entry["value"]) for entry in json.loads(branch.entries)]
    later_rows = branch.sheet.entries.filter(number__gte=branch.after).exclude(act__in=ASIDES)
    rows = later_rows.order_by("number").values_list("act", "value")[: len(late_entries)]
    sheet_entries = [(act, json.loads(value)) for act, value in rows]
    return late_entries != sheet_entries
