"""Who writes a game down: a key for this phone, for another one, or for the scorer of each table of a round."""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, pgettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from engine.grouping import lists_by_key
from engine.illegal import Refused
from league.core.claim.desk import Slip, slip_of
from league.core.claim.services import claim_codes_make
from league.core.club.models import Club
from league.core.frame.letter_link import public_address
from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.player.models import Player
from league.core.viewer.queries.author import authors_of
from league.core.viewer.web.viewer import club_page, or_404, page_of, viewer_of
from league.events.event.models import Event
from league.sheets.confirmation.queries.confirmation import is_scorer
from league.sheets.device.domain.writer import score_address
from league.sheets.device.models import ClubDevice
from league.sheets.device.queries import players_at
from league.sheets.device.services.device import device_make, device_revoke, devices_make
from league.sheets.sheet.models import SeasonOpenGame
from league.sheets.sheet.queries.access import device_for_writing, devices_of, holder_of
from league.stages.round.desk.crumbs import round_url, stage_crumbs
from league.stages.stage.models import Stage
from league.stages.stage.queries.access import stage_for_organiser
from league.stages.stage.queries.facts import stage_facts
from league.stages.table.domain.place import number_of, table_name
from league.stages.table.domain.table import round_tables
from league.stages.table.models import Table, TableSeat
from league.stages.table.queries.access import round_of, table_for_writing
from league.stages.table.web import table_crumbs


class HolderForm(forms.Form):
    """Whose key it is: a scorer's, or that of one of those who sit there."""

    seat = forms.TypedChoiceField(
        label=gettext_lazy("Who holds the phone"), coerce=int, empty_value=None, required=False
    )

    def __init__(self, subject: Table | SeasonOpenGame, data: QueryDict | None) -> None:
        super().__init__(data)
        ids = players_at(subject)
        players = Player.objects.in_bulk([player for player in ids if player is not None])
        seats = [(seat, players[player].name) for seat, player in enumerate(ids) if player is not None]
        field = cast(forms.TypedChoiceField, self.fields["seat"])
        field.choices = [("", gettext("A scorer")), *seats]
        field.widget.attrs["class"] = "select"


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(table_for_writing)
def write_page(request: HttpRequest, table: Table) -> HttpResponse:
    """Choose where a table's game is written down, and see who has a key; sent, it makes one, which is shown once."""
    if table.finished:
        return redirect_saying(
            request, gettext("All games of this table are in."), "table", table.public_id, level=messages.INFO
        )
    event = table.stage_round.stage.event
    return keys_page(
        request,
        event.club,
        table,
        table=table,
        place=f"{table_name(number_of(table))} · {event.name}",
        crumbs=table_crumbs(table, deeper=True),
    )


def keys_page(request: HttpRequest, club: Club, subject: Table | SeasonOpenGame, **context: object) -> HttpResponse:
    """The page of the keys to write for a table, or for a game without one. If it was sent, it makes one: this phone
    goes to the scorer with it (`here`), or the scorer's address is shown for another one."""
    address = ""
    form = HolderForm(subject, request.POST if request.method == "POST" else None)
    if form.is_valid():
        seat = form.cleaned_data["seat"]
        try:
            _, key = device_make(subject=subject, actor=Actor(request.user.pk), seat=seat)
        except Refused as refused:
            form.add_error("seat", refused.illegal.message.translated(gettext))
        else:
            address = score_address(subject, key)
            if "here" in request.POST:
                return redirect(address)
    devices = devices_of(subject)
    return club_page(
        request,
        club,
        "league/sheets/sheet/write.html",
        address=public_address(address) if address else "",
        form=form if is_scorer(request.user, subject) else None,
        devices=[(device, holder_of(device)) for device in devices],
        authors=authors_of(request.user, club, [device.made_by for device in devices]),
        **context,
    )


@login_required
@require_POST
def device_end(request: HttpRequest, table_id: str, device_id: str) -> HttpResponse:
    """Take a key back, by one tap."""
    key_end(request, or_404(device_for_writing, viewer_of(request), table_id, device_id))
    return redirect("table-write", table_id)


def key_end(request: HttpRequest, device: ClubDevice) -> None:
    """Take the key of a device back, and say so."""
    if device_revoke(device=device, actor=Actor(request.user.pk)):
        messages.success(request, gettext("This key is no longer valid. What is on the sheet stays."))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(stage_for_organiser)
def slips_page(request: HttpRequest, stage_row: Stage, number: int) -> HttpResponse:
    """Slips for the scorers of a round's open tables, to be printed and cut apart; sent, it makes their keys. Two a
    table where two write unseen. Organisers of the club get the slips of players without an account, too."""
    stage_round = or_404(round_of, stage_row, number)
    groups = round_tables(stage_facts(stage_row), stage_round)
    copies = range(2 if stage_row.event.confirmation == Event.Confirmer.DOUBLE else 1)
    seated = [table for group in groups for table in group.tables if not table.table.finished for _ in copies]
    if not seated and request.method == "POST":
        raise Http404
    club = stage_row.event.club
    keys: list[str] = []
    own_slips: dict[int, list[Slip]] = {}
    rows: dict[int, Table] = {}
    if request.method == "POST":
        actor = Actor(request.user.pk)
        rows = Table.objects.in_bulk([table.table.pk for table in seated])
        if request.user.has_perm("league.manage_club", club):
            own_slips = _own_slips(club, rows, actor)
        keys = devices_make(club_id=club.pk, tables=[rows[table.table.pk] for table in seated], actor=actor)
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
            (table, public_address(score_address(rows[table.table.pk], key)))
            for table, key in zip(seated, keys, strict=False)
        ],
        own_slips=[(table, slip) for table in seated[:: len(copies)] for slip in own_slips.get(table.table.pk, ())],
        claim_page=public_address(reverse("claim")),
        here="events",
        crumbs=[*stage_crumbs(stage_row), (label, round_url(stage_round))],
    )


def _own_slips(club: Club, tables: Collection[int], actor: Actor) -> dict[int, list[Slip]]:
    """The slips of those at these tables, by row id, who have no account: with its code a phone is that player."""
    seats = TableSeat.objects.filter(table__in=tables).order_by("table", "seat").select_related("entry__player")
    codes = claim_codes_make(club=club, players=[seat.entry.player for seat in seats], actor=actor)
    slips = {code.player_id: slip_of(code) for code in codes}
    return lists_by_key((seat.table_id, slips[seat.entry.player_id]) for seat in seats if seat.entry.player_id in slips)
