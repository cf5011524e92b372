"""The fact behind a draw: what went in, what came out, and how to draw it again."""

from __future__ import annotations

import json

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from league.clubs.queries.author import authors_of
from league.clubs.web.viewer import club_page, or_404, viewer_of
from league.tables.domain.reason import cost_lines, names_of, numbers_of, reasons
from league.tables.models import Draw, StageRound
from league.tables.queries.access import draw_for
from league.tables.queries.retraction import retraction_of
from league.tables.queries.stage import round_facts


@require_safe
def draw_page(request: HttpRequest, draw: str) -> HttpResponse:
    """A draw with its tables, what they cost, why, and the draws of the same round before and after it."""
    found = or_404(draw_for, viewer_of(request), draw)
    stage = found.stage_round.stage
    facts = round_facts(found.stage_round)
    names = names_of(facts)
    answer = json.loads(found.answer)
    tables = [tuple(ids) for ids in answer["tables"]]
    why = reasons(found.input, tables, names, numbers_of(facts))
    club = stage.event.club
    revisions = list(Draw.objects.filter(stage_round=found.stage_round, group=found.group).order_by("revision"))
    context = {
        "draw": found,
        "event": stage.event,
        "stage": stage,
        "round": found.stage_round,
        "retraction": retraction_of(found.stage_round),
        "tables": [
            ([names.get(entry_id, entry_id) for entry_id in ids], lines) for ids, lines in zip(tables, why, strict=True)
        ],
        "byes": [names.get(entry_id, entry_id) for entry_id in answer.get("bye", [])] if not stage.knock_out else [],
        "costs": cost_lines(found.answer),
        "version": answer.get("version"),
        "revisions": revisions,
        "authors": authors_of(request.user, club, [row.made_by for row in revisions]),
        "people": sorted(
            ((name, entry_id) for entry_id, name in names.items() if entry_id in found.input), key=lambda pair: pair[0]
        ),
        "crumbs": [(club.name, reverse("club", args=[club.slug]))],
    }
    return club_page(request, club, "league/draws/draw.html", context)


@require_safe
def draw_file_page(request: HttpRequest, draw: str) -> HttpResponse:
    """The draw's input as a file of one line, which `python -m engine draw` reads. The name of one that was taken
    back says so, and search engines leave it out."""
    found = or_404(draw_for, viewer_of(request), draw)
    answer = HttpResponse(found.input + "\n", content_type="application/json")
    is_standing = found.stage_round.status != StageRound.Status.TAKEN_BACK
    name = f"draw-{found.public_id}.json" if is_standing else f"draw-{found.public_id}-taken-back.json"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    if not is_standing:
        answer["X-Robots-Tag"] = "noindex"
    return answer
