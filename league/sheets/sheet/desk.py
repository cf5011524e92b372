"""The slips that give the scorers of a round their keys."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from engine.grouping import lists_by_key
from league.core.claim.desk import Slip, slip_of
from league.core.claim.services import claim_codes_make
from league.core.club.models import Club
from league.core.frame.letter_link import public_address
from league.core.log.services import Actor
from league.core.viewer.web.viewer import club_page, or_404, page_of
from league.events.event.models import Event
from league.sheets.device.domain.writer import score_address
from league.sheets.device.services.device import devices_make
from league.stages.round.desk.round import round_url
from league.stages.stage.desk.stage import desk_stage_crumbs
from league.stages.stage.models import Stage
from league.stages.stage.queries.access import stage_for_organiser
from league.stages.stage.queries.facts import stage_facts
from league.stages.table.domain.table import round_tables
from league.stages.table.models import Table, TableSeat
from league.stages.table.queries.access import round_of


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(stage_for_organiser)
def slips_page(request: HttpRequest, stage_row: Stage, number: int) -> HttpResponse:
    """Show the slips for the scorers of a round's unfinished tables, to be printed and cut apart; a
    POST makes the keys that they show.

    A table has two slips if two scorers write each game down. Organisers of the club also get claim
    slips for the players without an account."""
    stage_round = or_404(round_of, stage_row, number)
    groups = round_tables(stage_facts(stage_row), stage_round)
    slips_per_table = 2 if stage_row.event.confirmation == Event.Confirmer.DOUBLE else 1
    # One element for each slip: a table with two scorers is in it twice.
    seated = [
        table
        for group in groups
        for table in group.tables
        if not table.table.finished
        for _ in range(slips_per_table)
    ]
    if not seated and request.method == "POST":
        raise Http404
    club = stage_row.event.club
    keys: list[str] = []
    claim_slips: dict[int, list[Slip]] = {}
    tables_by_id: dict[int, Table] = {}
    if request.method == "POST":
        actor = Actor(request.user.pk)
        tables_by_id = Table.objects.in_bulk([table.table.pk for table in seated])
        if request.user.has_perm("league.manage_club", club):
            claim_slips = _claim_slips(club, tables_by_id, actor)
        slip_tables = [tables_by_id[table.table.pk] for table in seated]
        keys = devices_make(club_id=club.pk, tables=slip_tables, actor=actor)
    label = pgettext("of an event", "Round %(number)s") % {"number": stage_round.number}
    return club_page(
        request,
        club,
        "league/sheets/sheet/desk/slips.html",
        event=stage_row.event,
        stage=stage_row,
        round=stage_round,
        seated=seated,
        slips=[
            (table, public_address(score_address(tables_by_id[table.table.pk], key)))
            for table, key in zip(seated, keys, strict=False)  # There are no keys before a POST.
        ],
        own_slips=[
            (table, slip)
            for table in seated[::slips_per_table]
            for slip in claim_slips.get(table.table.pk, ())
        ],
        claim_page=public_address(reverse("claim")),
        here="events",
        crumbs=[*desk_stage_crumbs(stage_row), (label, round_url(stage_round))],
    )


def _claim_slips(club: Club, table_ids: Collection[int], actor: Actor) -> dict[int, list[Slip]]:
    seats = (
        TableSeat.objects.filter(table__in=table_ids)
        .order_by("table", "seat")
        .select_related("entry__player")
    )
    codes = claim_codes_make(club=club, players=[seat.entry.player for seat in seats], actor=actor)
    slips_by_player = {code.player_id: slip_of(code) for code in codes}
    return lists_by_key(
        (seat.table_id, slips_by_player[seat.entry.player_id])
        for seat in seats
        if seat.entry.player_id in slips_by_player
    )
