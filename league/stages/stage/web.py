"""A stage for everybody: its rankings, its rounds, its bracket."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Final, TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import Count, Subquery, Value
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from engine.scoring.stage.stage_file import write_stage
from league.core.frame.name_key import closest_names, folded_words
from league.core.frame.rendering import public_page
from league.core.frame.unchanged import LIVE, part_of, unless_unchanged
from league.core.log.queries import last_entry
from league.core.viewer.web.viewer import (
    PageContext,
    club_page,
    or_404,
    page_of,
    required,
    viewer_of,
)
from league.events.event.models import Event
from league.events.event.web import event_crumbs
from league.stages.bracket.domain.bracket import bracket
from league.stages.draw.queries.draw import disputed_before
from league.stages.placing.domain.meetings import meetings_of
from league.stages.placing.domain.ranking import shown_groups, shown_labels
from league.stages.result.domain.result import group_results
from league.stages.round.models import StageRound
from league.stages.round.queries import retracted_round, retraction_of
from league.stages.stage.domain.facts import Member, StageFacts, published
from league.stages.stage.models import Stage
from league.stages.stage.queries.access import StageSubject, stage_for, stage_state
from league.stages.stage.queries.facts import round_facts, stage_facts
from league.stages.table.domain.table import RoundOfGroup, round_tables
from league.standings.ranked_game.actions import GameAction
from league.standings.ranking.live import live_url
from league.standings.ranking.web.embedding import embeddable
from league.standings.season.queries.access import players_with_page, visible_players

G = TypeVar("G")
R = TypeVar("R")

ROWS_PER_PAGE: Final = 100
TABLES_PER_PAGE: Final = 100
RANKING: Final = "league/stages/stage/stage.html"
BRACKET: Final = "league/stages/bracket/bracket.html"
REFRESH_SECONDS: Final = 15
"""After so long an open page asks whether a round was published; results it hears of at once."""


@require_safe
@embeddable("slug", "club_slug")
@public_page(stage_state)
@page_of(stage_for)
def stage_page(request: HttpRequest, stage: Stage) -> HttpResponse:
    """A stage: the bracket of a knock-out, the rankings of every other."""
    if stage.knock_out:
        return _page(request, stage, BRACKET, _bracket)
    return _page(request, stage, RANKING, partial(_ranking, request))


@require_safe
@embeddable("slug", "club_slug")
@public_page(stage_state)
@page_of(stage_for)
def stage_ranking_page(request: HttpRequest, stage: Stage) -> HttpResponse:
    """The rankings of a stage, group by group, with the reason for every row, and its rounds;
    `?page=` of their rows, `?page=all` for the notice board; `?q=` searches them."""
    return _page(request, stage, RANKING, partial(_ranking, request))


def _ranking(request: HttpRequest, facts: StageFacts) -> PageContext:
    """What a page of rankings shows."""
    words = folded_words(request.GET.get("q", ""))
    groups = shown_groups(facts)
    labels = [] if words else shown_labels(facts, groups)
    rows = [(group, row) for group in groups for row in group.rows if is_called(row.member, words)]
    page = _rows_page(request, rows, ROWS_PER_PAGE)
    groups = [group._replace(rows=group_rows) for group, group_rows in _by_group(page)]
    known = players_with_page(
        viewer_of(request), [row.member.player for group in groups for row in group.rows]
    )
    context = {
        "shows": "ranking",
        "groups": groups,
        "page": page,
        "known": known,
        **_search(request, facts, rows),
    }
    return context | {"labels": labels if page.number == 1 else []}


def _round(request: HttpRequest, groups: Sequence[RoundOfGroup]) -> PageContext:
    """What a page of a round shows of its tables, or of those at which somebody is called as `?q=`
    says."""
    if words := folded_words(request.GET.get("q", "")):
        groups = [
            group
            for group in (_narrowed(group, words) for group in groups)
            if group.tables or group.byes
        ]
    page = _rows_page(
        request, [(group, table) for group in groups for table in group.tables], TABLES_PER_PAGE
    )
    if page.has_other_pages():
        groups = [group._replace(tables=tables) for group, tables in _by_group(page)]
    return {"groups": groups, "page": page, "q": request.GET.get("q", "")}


def _narrowed(group: RoundOfGroup, words: Sequence[str]) -> RoundOfGroup:
    """A group with those of its tables at which somebody is called so."""
    tables = tuple(
        table for table in group.tables if any(is_called(member, words) for member in table.members)
    )
    return group._replace(
        tables=tables, byes=tuple(out for out in group.byes if is_called(out.member, words))
    )


def is_called(member: Member, words: Sequence[str]) -> bool:
    """True if in a member's name or handle a word begins with each of these (`folded_words`)."""
    names = folded_words(f"{member.name} {member.handle}") if words else []
    return all(any(name.startswith(word) for name in names) for word in words)


def _search(request: HttpRequest, facts: StageFacts, found: object) -> PageContext:
    """What is searched for, and where that finds nobody the members who may be meant."""
    text = request.GET.get("q", "")
    names = (
        {}
        if found
        else {member.name: f"{member.name} {member.handle}" for member in facts.members.values()}
    )
    return {"q": text, "close_names": closest_names(text, names)}


def _rows_page(request: HttpRequest, rows: Sequence[tuple[G, R]], size: int) -> Page[tuple[G, R]]:
    """The rows, each with its group, of the page that is asked for: `?page=`, `all` for the notice
    board."""
    number = request.GET.get("page")
    return Paginator(rows, max(1, len(rows)) if number == "all" else size).get_page(number)


def _by_group(page: Page[tuple[G, R]]) -> list[tuple[G, tuple[R, ...]]]:
    """The rows of a page group by group."""
    return [
        (group, tuple(row for _, row in rows))
        for group, rows in groupby(page.object_list, key=itemgetter(0))
    ]


@require_safe
@embeddable("slug", "club_slug")
@public_page(stage_state)
@page_of(stage_for)
def bracket_page(request: HttpRequest, stage: Stage) -> HttpResponse:
    """The bracket of a knock-out."""
    return _page(request, stage, BRACKET, _bracket)


def _bracket(facts: StageFacts) -> PageContext:
    """What the page of a bracket shows. Raises `Http404` for a stage that is no knock-out."""
    if not facts.stage.knock_out:
        raise Http404
    return {"shows": "bracket", "bracket": bracket(facts)}


@require_safe
@public_page(stage_state)
@page_of(stage_for)
def stage_round_page(request: HttpRequest, stage: Stage, number: int) -> HttpResponse:
    """A round of a stage: who sits at which table, and what came of it; `?page=` and `?q=` as for
    the rankings. Where none has that number any more, the one that was taken back."""

    def context(facts: StageFacts) -> PageContext:
        stage_round = next((row for row in facts.rounds if row.number == number), None)
        if stage_round is None:
            return retracted(request, or_404(retracted_round, facts.stage, number))
        tables = _round(request, round_tables(facts, stage_round))
        stage_round.stage = facts.stage
        search = _search(request, facts, tables["groups"])
        return {
            "round": stage_round,
            "rests_on": disputed_before(stage_round, facts),
            **tables,
            **search,
        }

    return _page(request, stage, "league/stages/round/round.html", context)


@require_safe
@public_page(stage_state)
@page_of(stage_for)
def stage_rounds_page(request: HttpRequest, stage: Stage) -> HttpResponse:
    """All published rounds of a stage on one page, to be read or printed: who sits at which
    table."""
    return _page(
        request,
        stage,
        "league/stages/round/rounds.html",
        lambda facts: {
            "shows": "rounds",
            "rounds": [(row, round_tables(facts, row)) for row in facts.rounds],
        },
    )


@require_safe
@public_page(stage_state)
@page_of(stage_for)
def stage_meetings_page(request: HttpRequest, stage: Stage) -> HttpResponse:
    """Who met whom in a stage, and how few meetings again were possible; `?page=` and `?q=` as for
    the rankings."""

    def context(facts: StageFacts) -> PageContext:
        words = folded_words(request.GET.get("q", ""))
        rows = [
            (group, row)
            for group in meetings_of(facts)
            for row in group.rows
            if is_called(row.member, words)
        ]
        page = _rows_page(request, rows, ROWS_PER_PAGE)
        groups = [group._replace(rows=group_rows) for group, group_rows in _by_group(page)]
        return {
            "shows": "meetings",
            "groups": groups,
            "page": page,
            **_search(request, facts, rows),
        }

    return _page(request, stage, "league/stages/placing/meetings.html", context)


@require_safe
@public_page(stage_state)
@page_of(stage_for)
def retracted_round_page(
    request: HttpRequest, stage: Stage, number: int, round_id: str
) -> HttpResponse:
    """A round that was published and then taken back, as it stood; another one may have its number
    by now."""
    return _page(
        request,
        stage,
        "league/stages/round/round.html",
        lambda facts: retracted(request, or_404(retracted_round, facts.stage, number, round_id)),
    )


def retracted(request: HttpRequest, stage_round: StageRound) -> PageContext:
    """Return what the page of a round that was taken back shows."""
    tables = _round(request, round_tables(round_facts(stage_round), stage_round))
    return {
        "round": stage_round,
        "retraction": retraction_of(stage_round),
        "may_correct": False,
        **tables,
    }


@require_safe
@page_of(stage_for)
def stage_file_page(request: HttpRequest, stage: Stage) -> HttpResponse:
    """The stage as a file that `python -m engine stage` ranks; `?group=` with the number of the
    group."""
    facts = published(stage_facts(stage))
    group_number = request.GET.get("group", "1")
    group = required(
        next((group for group in facts.groups if str(group.number) == group_number), None)
    )
    answer = HttpResponse(
        write_stage(group_results(facts, group.pk)), content_type="application/json"
    )
    answer["Content-Disposition"] = (
        f'attachment; filename="stage-{facts.stage.public_id}-{group.number}.json"'
    )
    return answer


def _page(
    request: HttpRequest, stage: Stage, template: str, context: Callable[[StageFacts], PageContext]
) -> HttpResponse:
    """A page of a stage, unless the reader has it already."""
    event = stage.event
    may_correct = request.user.has_perm("league.correct_games", event.club)

    def page() -> HttpResponse:
        facts = published(stage_facts(stage))
        page_context = {"may_correct": may_correct, **shared(event, stage, facts), **context(facts)}
        return club_page(request, event.club, template, **page_context)

    return unless_unchanged(
        request,
        (*_versions(request, stage), may_correct),
        page,
        StageSubject(stage.pk, event.season.ranking_id),
    )


def _versions(request: HttpRequest, stage: Stage) -> tuple[object, ...]:
    """Read what a page of a stage has come to: the stage, the club's log, which of its players have
    a page, and around the live part, which follows it, the season's ranking.

    A game that is sealed shows by the stage's version, if it was played at one of its tables, else
    not at all."""
    event = stage.event
    with_page = visible_players(viewer_of(request)).filter(entries__event=event)
    states = Stage.objects.annotate(
        logged=Subquery(last_entry(event.club_id, but=GameAction.SEALED)),
        with_page=Subquery(
            with_page.order_by().values(all=Value(1)).annotate(count=Count("pk")).values("count")
        ),
    )
    ranking_version = () if part_of(request) == LIVE else (event.season.ranking.version,)
    return (
        *states.values_list("public_id", "version", "logged", "with_page").get(pk=stage.pk),
        *ranking_version,
    )


def shared(event: Event, stage: Stage, facts: StageFacts) -> PageContext:
    """Return what every page of a stage needs."""
    ranking = event.season.ranking
    return {
        "event": event,
        "stage": stage,
        "facts": facts,
        "live_url": live_url(ranking.pk, ranking.version),
        "refresh": REFRESH_SECONDS if stage.status == Stage.Status.RUNNING else None,
        "crumbs": event_crumbs(event),
    }
