"""Objections, for the page of a game: `{% load objections %}`."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from django import template
from django.utils import timezone

from games.models import Game
from league.core.member.models.member import Role
from league.core.viewer.domain import role_words
from league.core.viewer.permissions import Account
from league.disputes.agreement.models import Proposal
from league.disputes.agreement.queries import proposal_of
from league.disputes.objection.models import Objection, ObjectionEnd
from league.disputes.objection.queries.objection import (
    ObjectionWindow,
    objection_rows,
    objection_window,
)
from league.disputes.objection.web import ObjectionForm
from league.disputes.reminder.domain import Wait, wait_of

register = template.Library()


class ObjectionPanel(NamedTuple):
    """The objections to a game, as its page shows them.

    `rows`: the open objections. `past`: the objections that have ended. `mine`: the open objection
    of the reader's own seat. `until`: the time until which seats can object; None if they can't
    now. `form`: the form to object for the own seat; None if the reader can't object now.
    `proposal`: the proposed correction, for those who may read it."""

    rows: list[dict[str, Any]]
    past: list[dict[str, Any]]
    mine: dict[str, Any] | None
    own_seat: int | None
    until: datetime | None
    form: ObjectionForm | None
    proposal: Proposal | None


@register.simple_tag
def objections_of(game: Game, reader: Account, objected: bool) -> ObjectionPanel:
    """Return the objections to a game, and how the reader can object: `{% objections_of game
    request.user objected as panel %}`. `objected`: the game has or had objections.

    No query for a reader who isn't signed in, unless somebody objected.
    """
    rows: list[dict[str, Any]] = []
    past: list[dict[str, Any]] = []
    if objected:
        for row in objection_rows(Objection.objects.filter(game=game)):
            if row["end__way"] is None:
                rows.append(row)
            else:
                past.append(row)

    window = ObjectionWindow(until=None, own_seat=None)
    if reader.is_authenticated:
        window = objection_window(game, reader.pk)
    own_seat = window.own_seat
    until = window.until if window.is_open(timezone.now()) else None
    mine = next((row for row in rows if row["seat"] == own_seat), None)
    form = None
    if until and own_seat is not None and mine is None:
        form = ObjectionForm([(own_seat, "")])  # a single seat is hidden, so it needs no name

    proposal = None
    if rows and (own_seat is not None or reader.has_perm("league.correct_game", game)):
        proposal = proposal_of(game)
    return ObjectionPanel(rows, past, mine, own_seat, until, form, proposal)


@register.filter
def end_words(way: str) -> str:
    """Return how an objection ended, in words."""
    return str(ObjectionEnd.Way(way).label)


@register.filter
def waited(raised_at: datetime) -> Wait:
    """Return how long an open objection has waited: `{% with wait=row.raised_at|waited %}`."""
    return wait_of(raised_at, timezone.now())


@register.filter
def raised_for(role: str) -> str:
    """Return the role of the account that objected for a seat, in words; empty for the seat
    itself."""
    return "" if role == Role.PLAYER else role_words(role)
