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
    """The open objections to a game, as its page shows them, and those that have come to an `end`.
    `mine`: that of the reader's own seat; `form`: to raise one for it, None where that can't be
    now; `until`: seats can object so long, None where they can't now. `proposal`: what is proposed
    as the correction, for those who may read it."""

    rows: list[dict[str, Any]]
    past: list[dict[str, Any]]
    mine: dict[str, Any] | None
    own_seat: int | None
    until: datetime | None
    form: ObjectionForm | None
    proposal: Proposal | None


@register.simple_tag
def objections_of(game: Game, reader: Account, objected: bool) -> ObjectionPanel:
    """Who objects to a game, or did so ever, and what the reader can do:
    `{% objections_of game request.user objected as panel %}`.

    No query for a stranger, unless somebody objected.
    """
    objections = list(objection_rows(Objection.objects.filter(game=game))) if objected else []
    rows = [row for row in objections if row["end__way"] is None]
    past = [row for row in objections if row["end__way"] is not None]
    window = (
        objection_window(game, reader.pk)
        if reader.is_authenticated
        else ObjectionWindow(None, None)
    )
    until = window.until if window.is_open(timezone.now()) else None
    mine = next((row for row in rows if row["seat"] == window.own_seat), None)
    seats = (
        [(window.own_seat, "")] if until and window.own_seat is not None and mine is None else []
    )
    form = ObjectionForm(seats) if seats else None
    reads = window.own_seat is not None or (rows and reader.has_perm("league.correct_game", game))
    proposal = proposal_of(game) if rows and reads else None
    return ObjectionPanel(rows, past, mine, window.own_seat, until, form, proposal)


@register.filter
def end_words(way: str) -> str:
    """How an objection ended, in words."""
    return str(ObjectionEnd.Way(way).label)


@register.filter
def waited(raised_at: datetime) -> Wait:
    """How long an open objection has waited: `{% with wait=row.raised_at|waited %}`."""
    return wait_of(raised_at, timezone.now())


@register.filter
def raised_for(role: str) -> str:
    """Who objected for a seat, in words; nothing for the seat itself."""
    return "" if role == Role.PLAYER else role_words(role)
