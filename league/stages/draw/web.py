"""The public page of a draw: its input, its answer, and how to repeat it."""

from __future__ import annotations

import json
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from league.core.log.queries import receipts_about
from league.core.viewer.queries.author import authors_of
from league.core.viewer.web.crumbs import club_crumbs
from league.core.viewer.web.viewer import club_page, page_of
from league.stages.draw.models import Draw
from league.stages.draw.queries.draw import disputed_before
from league.stages.round.actions import RoundAction
from league.stages.round.domain.reason import draw_cost, names_of, numbers_of, reasons
from league.stages.round.models import StageRound
from league.stages.round.queries import retraction_of
from league.stages.stage.queries.facts import round_facts
from league.stages.table.queries.access import draw_for

RECEIPTS: Final = (RoundAction.PUBLISHED, RoundAction.CHANGED, RoundAction.TAKEN_BACK)
"""The actions on a round for whose log entries players can keep receipts."""


@require_safe
@page_of(draw_for)
def draw_page(request: HttpRequest, draw: Draw) -> HttpResponse:
    """Show a draw with its tables, their cost, the reasons, and the other draws of the same
    round."""
    stage = draw.stage_round.stage
    facts = round_facts(draw.stage_round)
    names = names_of(facts)
    answer = json.loads(draw.answer)
    tables = [tuple(ids) for ids in answer["tables"]]
    byes = tuple(answer.get("bye", ()))
    draw_reasons = reasons(
        draw.input, draw.answer, tables, names, numbers_of(facts), byes, by_hand=draw.by_hand
    )
    tables_with_reasons = [
        ([names.get(entry_id, entry_id) for entry_id in ids], lines)
        for ids, lines in zip(tables, draw_reasons.tables, strict=True)
    ]
    people = [(name, entry_id) for entry_id, name in names.items() if entry_id in draw.input]
    club = stage.event.club
    revisions = list(
        Draw.objects.filter(stage_round=draw.stage_round, group=draw.group).order_by("revision")
    )
    return club_page(
        request,
        club,
        "league/stages/draw/draw.html",
        draw=draw,
        event=stage.event,
        stage=stage,
        round=draw.stage_round,
        retraction=retraction_of(draw.stage_round),
        rests_on=disputed_before(draw.stage_round),
        tables=tables_with_reasons,
        byes=draw_reasons.byes,
        cost=draw_cost(draw.input, draw.answer),
        version=answer.get("version"),
        revisions=revisions,
        authors=authors_of(request.user, club, [revision.made_by for revision in revisions]),
        people=sorted(people, key=lambda person: person[0]),
        receipts=receipts_about(club.pk, draw.stage_round.public_id, RECEIPTS),
        crumbs=club_crumbs(club),
    )


@require_safe
@page_of(draw_for)
def draw_file_page(request: HttpRequest, draw: Draw) -> HttpResponse:
    """Send the draw's input as a file of one line, for `python -m engine draw`. If the draw was
    taken back the file's name says so, and search engines leave it out."""
    response = HttpResponse(draw.input + "\n", content_type="application/json")
    name = f"draw-{draw.public_id}"
    if draw.stage_round.status == StageRound.Status.TAKEN_BACK:
        name = f"{name}-taken-back"
        response["X-Robots-Tag"] = "noindex"
    response["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return response
