"""Public pages of a stage: its rankings, its rounds, its bracket."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Final, NamedTuple, TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import Count, Subquery, Value
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe

from engine.scoring.stage.stage_file import write_stage
from league.core.frame.kept import drawn, kept, shared_key
from league.core.frame.name_key import closest_names, folded_words
from league.core.frame.rendering import public_page
from league.core.frame.unchanged import LIVE, part_of, unless_unchanged
from league.core.log.queries import last_entry
from league.core.viewer.queries.access import Viewer
from league.core.viewer.web.viewer import (
    PageContext,
    club_page,
    or_404,
    page_of,
    required,
    viewer_of,
)
from league.events.event.models import Event
from league.events.event.queries.access import Rights, rights_of
from league.events.event.web import event_crumbs
from league.stages.bracket.domain.bracket import bracket
from league.stages.draw.queries.draw import disputed_before
from league.stages.placing.domain.meetings import meetings_of
from league.stages.placing.domain.ranking import ShownLabel, shown_groups, shown_labels
from league.stages.result.domain.result import group_results
from league.stages.round.models import StageRound
from league.stages.round.queries import retracted_round, retraction_of
from league.stages.stage.domain.facts import Member, StageFacts, published_facts
from league.stages.stage.models import Stage
from league.stages.stage.queries.access import StageSubject, stage_for, stage_state
from league.stages.stage.queries.facts import round_facts, stage_facts
from league.stages.table.domain.table import RoundOfGroup, round_tables
from league.standings.ranked_game.actions import GameAction
from league.standings.ranking.live import live_url
from league.standings.ranking.queries.state import event_page_state
from league.standings.ranking.web.embedding import embeddable
from league.standings.season.queries.access import players_with_page, visible_players

G = TypeVar("G")  # a group
R = TypeVar("R")  # a row of a group

ROWS_PER_PAGE: Final = 100
TABLES_PER_PAGE: Final = 100
RANKING: Final = "league/stages/stage/stage.html"
BRACKET: Final = "league/stages/bracket/bracket.html"
REFRESH_SECONDS: Final = 15
"""How often an open page checks for a published round; results reach it at once."""


@require_safe
@embeddable("slug", "club_slug")
@public_page(stage_state)
@page_of(stage_for)
def stage_page(request: HttpRequest, stage: Stage) -> HttpResponse:
    """Show a stage: the bracket of a knock-out, the rankings of any other."""
    if stage.knock_out:
        return _stage_page_response(request, stage, BRACKET, _bracket_context)
    return _stage_page_response(request, stage, RANKING, partial(_ranking_context, request))


@require_safe
@embeddable("slug", "club_slug")
@public_page(stage_state)
@page_of(stage_for)
def stage_ranking_page(request: HttpRequest, stage: Stage) -> HttpResponse:
    """Show the rankings of a stage, group by group, with a reason for every row, and its rounds;
    `?page=` of their rows, `?page=all` for the notice board; `?q=` searches them."""
    return _stage_page_response(request, stage, RANKING, partial(_ranking_context, request))


def _ranking_context(request: HttpRequest, facts: StageFacts) -> PageContext:
    search_words = folded_words(request.GET.get("q", ""))
    all_groups = shown_groups(facts)
    rows = []
    for group in all_groups:
        rows += [(group, row) for row in group.rows if is_named_by(row.member, search_words)]
    page = _rows_page(request, rows, ROWS_PER_PAGE)
    groups = [group._replace(rows=group_rows) for group, group_rows in _rows_by_group(page)]
    players = [row.member.player for _, row in page.object_list]
    labels: list[ShownLabel] = []
    if not search_words and page.number == 1:
        labels = shown_labels(facts, all_groups)
    return {
        "shows": "ranking",
        "groups": groups,
        "page": page,
        "known": players_with_page(viewer_of(request), players),
        "labels": labels,
        **_search_context(request, facts, rows),
    }


def _round_context(request: HttpRequest, groups: Sequence[RoundOfGroup]) -> PageContext:
    query = request.GET.get("q", "")
    search_words = folded_words(query)
    if search_words:
        narrowed = [_with_matches(group, search_words) for group in groups]
        groups = [group for group in narrowed if group.tables or group.byes]
    rows = [(group, table) for group in groups for table in group.tables]
    page = _rows_page(request, rows, TABLES_PER_PAGE)
    if page.has_other_pages():
        groups = [group._replace(tables=tables) for group, tables in _rows_by_group(page)]
    return {"groups": groups, "page": page, "q": query}


def _with_matches(group: RoundOfGroup, search_words: Sequence[str]) -> RoundOfGroup:
    tables = tuple(
        table
        for table in group.tables
        if any(is_named_by(member, search_words) for member in table.members)
    )
    byes = tuple(bye for bye in group.byes if is_named_by(bye.member, search_words))
    return group._replace(tables=tables, byes=byes)


def is_named_by(member: Member, search_words: Sequence[str]) -> bool:
    """Return True if each word (of `folded_words`) begins a word of a member's name or handle."""
    if not search_words:
        return True
    names = folded_words(f"{member.name} {member.handle}")
    return all(any(name.startswith(word) for name in names) for word in search_words)


def _search_context(request: HttpRequest, facts: StageFacts, results: object) -> PageContext:
    """Return the searched text and, if the search has no `results`, the members' names that are
    close to it."""
    text = request.GET.get("q", "")
    names: dict[str, str] = {}
    if not results:
        names = {member.name: f"{member.name} {member.handle}" for member in facts.members.values()}
    return {"q": text, "close_names": closest_names(text, names)}


def _rows_page(request: HttpRequest, rows: Sequence[tuple[G, R]], size: int) -> Page[tuple[G, R]]:
    number = request.GET.get("page")
    if number == "all":
        size = max(1, len(rows))
    return Paginator(rows, size).get_page(number)


def _rows_by_group(page: Page[tuple[G, R]]) -> list[tuple[G, tuple[R, ...]]]:
    return [
        (group, tuple(row for _, row in rows))
        for group, rows in groupby(page.object_list, key=itemgetter(0))
    ]


@require_safe
@embeddable("slug", "club_slug")
@public_page(stage_state)
@page_of(stage_for)
def bracket_page(request: HttpRequest, stage: Stage) -> HttpResponse:
    """Show the bracket of a knock-out."""
    return _stage_page_response(request, stage, BRACKET, _bracket_context)


def _bracket_context(facts: StageFacts) -> PageContext:
    if not facts.stage.knock_out:
        raise Http404
    return {"shows": "bracket", "bracket": bracket(facts)}


@require_safe
@public_page(stage_state)
@page_of(stage_for)
def stage_round_page(request: HttpRequest, stage: Stage, number: int) -> HttpResponse:
    """Show a round of a stage, its tables and its results; `?page=` and `?q=` as for the rankings.
    If no round has that number any more, show the one that was taken back."""

    def context(facts: StageFacts) -> PageContext:
        stage_round = next((row for row in facts.rounds if row.number == number), None)
        if stage_round is None:
            return retracted_context(request, or_404(retracted_round, facts.stage, number))
        tables = _round_context(request, round_tables(facts, stage_round))
        stage_round.stage = facts.stage
        return {
            "round": stage_round,
            "rests_on": disputed_before(stage_round, facts),
            **tables,
            **_search_context(request, facts, tables["groups"]),
        }

    return _stage_page_response(request, stage, "league/stages/round/round.html", context)


@require_safe
@public_page(stage_state)
@page_of(stage_for)
def stage_rounds_page(request: HttpRequest, stage: Stage) -> HttpResponse:
    """Show all published rounds of a stage with their tables on one page, to be read or printed."""

    def context(facts: StageFacts) -> PageContext:
        rounds = [(row, round_tables(facts, row)) for row in facts.rounds]
        return {"shows": "rounds", "rounds": rounds}

    return _stage_page_response(request, stage, "league/stages/round/rounds.html", context)


@require_safe
@public_page(stage_state)
@page_of(stage_for)
def stage_meetings_page(request: HttpRequest, stage: Stage) -> HttpResponse:
    """Show how often players of a stage met, and how few repeated meetings were possible; `?page=`
    and `?q=` as for the rankings."""

    def context(facts: StageFacts) -> PageContext:
        search_words = folded_words(request.GET.get("q", ""))
        rows = []
        for group in meetings_of(facts):
            rows += [(group, row) for row in group.rows if is_named_by(row.member, search_words)]
        page = _rows_page(request, rows, ROWS_PER_PAGE)
        groups = [group._replace(rows=group_rows) for group, group_rows in _rows_by_group(page)]
        return {
            "shows": "meetings",
            "groups": groups,
            "page": page,
            **_search_context(request, facts, rows),
        }

    return _stage_page_response(request, stage, "league/stages/placing/meetings.html", context)


@require_safe
@public_page(stage_state)
@page_of(stage_for)
def retracted_round_page(
    request: HttpRequest, stage: Stage, number: int, round_id: str
) -> HttpResponse:
    """Show a round that was published and taken back, as it was then; another round may have its
    number by now."""

    def context(facts: StageFacts) -> PageContext:
        return retracted_context(request, or_404(retracted_round, facts.stage, number, round_id))

    return _stage_page_response(request, stage, "league/stages/round/round.html", context)


def retracted_context(request: HttpRequest, stage_round: StageRound) -> PageContext:
    """Return the context of the page of a round that was taken back."""
    tables = _round_context(request, round_tables(round_facts(stage_round), stage_round))
    return {
        "round": stage_round,
        "retraction": retraction_of(stage_round),
        "may_correct": False,
        **tables,
    }


@require_safe
@page_of(stage_for)
def stage_file_page(request: HttpRequest, stage: Stage) -> HttpResponse:
    """Send the stage as a file that `python -m engine stage` ranks; `?group=` is the number of the
    group."""
    facts = published_facts(stage_facts(stage))
    group_number = request.GET.get("group", "1")
    group = required(
        next((group for group in facts.groups if str(group.number) == group_number), None)
    )
    response = HttpResponse(
        write_stage(group_results(facts, group.pk)), content_type="application/json"
    )
    response["Content-Disposition"] = (
        f'attachment; filename="stage-{facts.stage.public_id}-{group.number}.json"'
    )
    return response


class LivePart(NamedTuple):
    """The live part of a stage's page, which is cached for all readers with the same rights.
    `retracted`: it shows a round that was taken back."""

    html: SafeString
    retracted: bool


def _stage_page_response(
    request: HttpRequest, stage: Stage, template: str, context: Callable[[StageFacts], PageContext]
) -> HttpResponse:
    """Return a page of a stage, or 304 if it hasn't changed. `context` makes the page's own part of
    the context from the facts that everybody may see."""
    event = stage.event
    rights = rights_of(viewer_of(request), event.club)
    versions = (*_versions(request, stage, rights), rights)

    def live_part() -> LivePart:
        facts = published_facts(stage_facts(stage))
        page_context = {
            "may_correct": request.user.has_perm("league.correct_games", event.club),
            **stage_context(event, stage, facts),
            **context(facts),
        }
        part = club_page(request, event.club, template, **page_context)
        return LivePart(SafeString(part.content.decode()), "retraction" in page_context)

    def page() -> HttpResponse:
        key = shared_key(request, versions)
        live = drawn(key, live_part)
        if part_of(request) == LIVE:
            return HttpResponse(live.html)
        ranking = event.season.ranking
        return club_page(
            request,
            event.club,
            "league/stages/stage/stage_page.html",
            event=event,
            stage=stage,
            live=live,
            wide=template == BRACKET,
            live_url=live_url(ranking.pk, ranking.version),
            crumbs=event_crumbs(event),
        )

    subject = StageSubject(stage.pk, event.pk, event.club_id)
    return unless_unchanged(request, versions, page, subject)


def _versions(request: HttpRequest, stage: Stage, rights: Rights) -> tuple[object, ...]:
    """Return the versions on which a page of a stage depends: those of the stage and of the club's
    log, the number of the event's players with a page and, except in the live part, the version of
    the season's ranking. All but the last are read again only after the event's state has changed.

    Entries about sealed games are left out of the log, because each game of the stage's tables
    raises the version of the stage.
    """
    event = stage.event
    state = event_page_state(event.club_id, event.pk)
    viewer = viewer_of(request)
    versions = kept(
        "stage", (stage.public_id, state, rights), partial(_read_versions, viewer, stage)
    )
    ranking_version = () if part_of(request) == LIVE else (event.season.ranking.version,)
    return (*versions, *ranking_version)


def _read_versions(viewer: Viewer, stage: Stage) -> tuple[object, ...]:
    with_page = visible_players(viewer).filter(entries__event=stage.event)
    states = Stage.objects.annotate(
        logged=Subquery(last_entry(stage.event.club_id, but=GameAction.SEALED)),
        with_page=Subquery(
            # A constant group, so that the count is one row.
            with_page.order_by().values(all=Value(1)).annotate(count=Count("pk")).values("count")
        ),
    )
    return states.values_list("public_id", "version", "logged", "with_page").get(pk=stage.pk)


def stage_context(event: Event, stage: Stage, facts: StageFacts) -> PageContext:
    """Return the context that the live parts of all pages of a stage have in common."""
    return {
        "event": event,
        "stage": stage,
        "facts": facts,
        "refresh": REFRESH_SECONDS if stage.status == Stage.Status.RUNNING else None,
    }
