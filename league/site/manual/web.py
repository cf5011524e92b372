"""The manual: Markdown files in `templates/docs`, one page for each task of a reader, in each of
our languages."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, gettext_lazy, override
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from league.languages import ENGLISH
from league.site.manual.domain import with_settings

FOLDER = settings.BASE_DIR / "templates" / "docs"
PAGES = {
    "start": (gettext_lazy("First steps"), gettext_lazy("What Cups Up is, and how to try it out.")),
    "organise": (
        gettext_lazy("Set up your club"),
        gettext_lazy("From the first start to a season with games, people and keys."),
    ),
    "run-an-event": (
        gettext_lazy("Run an event"),
        gettext_lazy("From the plan to the last result: stages, draws, results, and the way back."),
    ),
    "plan-events": (
        gettext_lazy("Plan your events"),
        gettext_lazy("Events, series, last season’s dates, and calendars to subscribe to."),
    ),
    "enter": (
        gettext_lazy("Enter, check in, find your table"),
        gettext_lazy(
            "How players get a place and find their table, and how organisers manage entries."
        ),
    ),
    "write": (
        gettext_lazy("Write a game down at its table"),
        gettext_lazy(
            "Round by round on a phone, even without a network, for others to watch live."
        ),
    ),
    "how-to-bluff": (
        gettext_lazy("How to play Bluff"),
        gettext_lazy("One page to print, for anybody who has never held a cup."),
    ),
    "how-to-luegen-kniffel": (
        gettext_lazy("How to play Lügen-Kniffel"),
        gettext_lazy("One page to print, for anybody who has never lied about dice."),
    ),
    "rules": (
        gettext_lazy("The rules"),
        gettext_lazy("Every ruling by its number, with its source."),
    ),
    "import": (
        gettext_lazy("Import games"),
        gettext_lazy("Upload a file in the browser, or use the API or a command."),
    ),
    "correct": (
        gettext_lazy("Correct a game"),
        gettext_lazy("Fix what was entered wrongly, and see what that changes."),
    ),
    "rule": (
        gettext_lazy("Rule on a disputed game"),
        gettext_lazy("Hear the table, see what a decision changes, rule, and appeal."),
    ),
    "record": (
        gettext_lazy("The game record"),
        gettext_lazy("The format of games, and what the checker tells you."),
    ),
    "notation": (
        gettext_lazy("The text notation"),
        gettext_lazy("Games as text that people read, write and send."),
    ),
    "table": (
        gettext_lazy("Table and ratings"),
        gettext_lazy("How games turn into points, ranks and ratings."),
    ),
    "draw": (
        gettext_lazy("How a round is drawn"),
        gettext_lazy(
            "What makes a good draw, the draw file and its answer, and how to draw a round again."
        ),
    ),
    "stage": (
        gettext_lazy("How a stage is ranked"),
        gettext_lazy("Points, tie-breaks and their sources, and how to rank a stage again."),
    ),
    "notices": (
        gettext_lazy("What an event tells you"),
        gettext_lazy("Your place, your table and changes, by mail and on your devices."),
    ),
    "timetable": (
        gettext_lazy("The timetable and the clock"),
        gettext_lazy("When and where tables are played, and how much time a round has left."),
    ),
    "analysis": (
        gettext_lazy("The analysis"),
        gettext_lazy("What chances, costs and luck tell you, and what they can’t."),
    ),
    "players": (
        gettext_lazy("Players and the search"),
        gettext_lazy(
            "What a player’s page shows, who is compared with whom, and how to find anything."
        ),
    ),
    "digest": (
        gettext_lazy("Digests"),
        gettext_lazy("Check that a sealed game is still what was entered."),
    ),
    "log": (
        gettext_lazy("The log"),
        gettext_lazy("What’s in a club’s log, and how to check that nobody has changed it."),
    ),
    "play": (
        gettext_lazy("Play online and practise"),
        gettext_lazy("A table where the service deals, and a round against automatic players."),
    ),
    "turns": (
        gettext_lazy("Turn by turn"),
        gettext_lazy(
            "A game with days for each move: what you’re told, holidays, and standing orders."
        ),
    ),
    "programs": (
        gettext_lazy("Programs that play"),
        gettext_lazy(
            "A program at an online table: its account, key, addresses and streams, and a "
            "complete client."
        ),
    ),
    "fair-dice": (
        gettext_lazy("Fair dice"),
        gettext_lazy("Check that dealt dice were fixed before the bids."),
    ),
    "api": (
        gettext_lazy("The API"),
        gettext_lazy("Read everything public, enter games, and run events, with a program."),
    ),
    "errors": (
        gettext_lazy("Errors of the API"),
        gettext_lazy("Every error code, and what to do about it."),
    ),
    "mail": (
        gettext_lazy("Set up mail"),
        gettext_lazy("How emails leave the machine, and who passes links on until they do."),
    ),
    "settings": (
        gettext_lazy("Settings"),
        gettext_lazy("Every setting of the service, what it can be, and what applies without it."),
    ),
    "operate": (
        gettext_lazy("Operate the service"),
        gettext_lazy(
            "Upgrade, restart without downtime, run it on several hosts, hand over, and what’s "
            "stored about people."
        ),
    ),
    "backup": (
        gettext_lazy("Back up and restore"),
        gettext_lazy("A backup every night on another machine, and how to get it back."),
    ),
    "capacity": (
        gettext_lazy("What one machine carries"),
        gettext_lazy("Clubs on one evening, what ends first, and what to add then."),
    ),
    "architecture": (
        gettext_lazy("Architecture"),
        gettext_lazy(
            "Where things are, which part may use which, and how a round travels through them."
        ),
    ),
}
"""The pages in the order of the contents, with title and description."""
NAMED_ANCHOR = re.compile(r"\s*\{#([\w-]+)\}$")
"""The anchor at the end of a heading or a cell, the same in all languages: `### B9 Exact hit
{#b9}`."""


@dataclass(frozen=True, slots=True)
class Manual:
    """A page of the manual as HTML, its language, and its parts as (id, title)."""

    html: SafeString
    language: str
    parts: tuple[tuple[str, str], ...]


@require_safe
def docs_index(request: HttpRequest) -> HttpResponse:
    """Show the manual's contents."""
    return render(
        request, "league/site/manual/index.html", {"pages": _contents(), "section": "docs"}
    )


@require_safe
def doc_page(request: HttpRequest, page: str) -> HttpResponse:
    """Show a page of the manual in the reader's language."""
    if page not in PAGES:
        raise Http404
    title, about = PAGES[page]
    context = {
        "page": page,
        "title": title,
        "about": about,
        "pages": _contents(),
        "manual": manual(page, get_language() or ENGLISH),
        "crumbs": [(gettext("Manual"), reverse("docs"))],
        "section": "rules" if page == "rules" else "docs",
    }
    return render(request, "league/site/manual/page.html", context)


def _contents() -> list[tuple[str, object, object]]:
    return [(name, title, about) for name, (title, about) in PAGES.items()]


def page_file(page: str, language: str) -> Path:
    """Return the file of a page in a language: `rules.md` is English, `rules.de.md` German."""
    return FOLDER / (f"{page}.md" if language == ENGLISH else f"{page}.{language}.md")


@cache
def manual(page: str, language: str) -> Manual:
    """Return a page of the manual, in English if there is no file in the language. HTML in the
    Markdown is escaped."""
    if not page_file(page, language).exists():
        language = ENGLISH
    markdown = MarkdownIt("commonmark", {"html": False}, renderer_cls=Renderer).enable("table")
    with override(language):
        text = with_settings(page_file(page, language).read_text(encoding="utf-8"))
    tokens = markdown.parse(text)
    parts = []
    for opening, inline in pairwise(tokens):
        if opening.type in ("heading_open", "td_open") and inline.children:
            anchor = _move_anchor_to_tag(opening, inline.children)
            if anchor and opening.tag == "h2":
                parts.append((anchor, "".join(child.content for child in inline.children)))
    return Manual(
        SafeString(markdown.renderer.render(tokens, markdown.options, {})), language, tuple(parts)
    )


def _move_anchor_to_tag(opening: Token, children: list[Token]) -> str:
    anchor = NAMED_ANCHOR.search(children[-1].content)
    if not anchor:
        return ""
    children[-1].content = children[-1].content[: anchor.start()]
    opening.attrs["id"] = anchor[1]
    return anchor[1]


class Renderer(RendererHTML):
    """Renders tables in boxes that scroll, also by keyboard."""

    def table_open(self, tokens: Sequence[Token], i: int, options: Any, env: Any) -> str:
        """Open the table's box, which the keyboard can scroll."""
        return '<div class="scroll" tabindex="0"><table>'

    def table_close(self, tokens: Sequence[Token], i: int, options: Any, env: Any) -> str:
        """Close the table's box."""
        return "</table></div>"

    def fence(self, tokens: Sequence[Token], i: int, options: Any, env: Any) -> str:
        """Render a block of code."""
        return format_html('<pre tabindex="0"><code>{}</code></pre>', tokens[i].content)
