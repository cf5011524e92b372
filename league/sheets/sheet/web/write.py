"""The page of the keys for writing a game down, with this phone or with another one."""

from __future__ import annotations

from typing import cast

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from engine.illegal import Refused
from league.core.club.models import Club
from league.core.frame.letter_link import public_address
from league.core.frame.saying import redirect_saying
from league.core.log.services import Actor
from league.core.player.models import Player
from league.core.viewer.queries.author import authors_of
from league.core.viewer.web.viewer import club_page, or_404, page_of, viewer_of
from league.sheets.confirmation.queries.confirmation import is_scorer
from league.sheets.device.domain.writer import score_address
from league.sheets.device.models import ClubDevice
from league.sheets.device.queries import players_at
from league.sheets.device.services.device import device_make, device_revoke
from league.sheets.sheet.models import SeasonOpenGame
from league.sheets.sheet.queries.access import device_for_writing, devices_of, holder_of
from league.stages.stage.domain.table_name import number_of, table_name
from league.stages.table.models import Table
from league.stages.table.queries.access import table_for_writing
from league.stages.table.web import table_crumbs


class HolderForm(forms.Form):
    """For whom a key is made: for a scorer, or for one of the seated players."""

    seat = forms.TypedChoiceField(
        label=gettext_lazy("Who has the phone"), coerce=int, empty_value=None, required=False
    )

    def __init__(self, subject: Table | SeasonOpenGame, data: QueryDict | None) -> None:
        super().__init__(data)
        player_ids = players_at(subject)
        known_ids = [player_id for player_id in player_ids if player_id is not None]
        players = Player.objects.in_bulk(known_ids)
        seats = [
            (seat, players[player_id].name)
            for seat, player_id in enumerate(player_ids)
            if player_id is not None
        ]
        field = cast(forms.TypedChoiceField, self.fields["seat"])
        field.choices = [("", gettext("A scorer")), *seats]
        field.widget.attrs["class"] = "select"


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(table_for_writing)
def write_page(request: HttpRequest, table: Table) -> HttpResponse:
    """Show the keys for a table, and the form to make one; a POST makes it. A finished table has no
    such page."""
    if table.finished:
        return redirect_saying(
            request,
            gettext("All games of this table are in."),
            "table",
            table.public_id,
            level=messages.INFO,
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


def keys_page(
    request: HttpRequest, club: Club, subject: Table | SeasonOpenGame, **context: object
) -> HttpResponse:
    """Show the page of the keys for a table, or for a game without one. A POST makes a key: with
    `here` it redirects this phone to the scorer, else it shows the scorer's address, once, for
    another phone."""
    address = ""
    form = HolderForm(subject, request.POST if request.method == "POST" else None)
    if form.is_valid():
        seat = form.cleaned_data["seat"]
        is_here = "here" in request.POST
        try:
            _, key = device_make(
                subject=subject, actor=Actor(request.user.pk), seat=seat, own=is_here
            )
        except Refused as refused:
            form.add_error("seat", refused.illegal.message.translated(gettext))
        else:
            address = score_address(subject, key)
            if is_here:
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
    """Revoke a key of a table, and go back to the page of its keys."""
    key_end(request, or_404(device_for_writing, viewer_of(request), table_id, device_id))
    return redirect("table-write", table_id)


def key_end(request: HttpRequest, device: ClubDevice) -> None:
    """Revoke the key of a device, and tell the user so."""
    if device_revoke(device=device, actor=Actor(request.user.pk)):
        messages.success(
            request, gettext("This key is no longer valid. What is on the sheet stays.")
        )
