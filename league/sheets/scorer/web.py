"""The scorer: a page that needs no network once it was opened, and the service worker that caches
it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Final
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.core.delivery.web import worker_script
from league.core.frame.unchanged import release_digest
from league.core.viewer.web.viewer import viewer_of
from league.sheets.confirmation.queries.confirmation import may_write_down
from league.sheets.sheet.domain.call import rulings_for_scripts
from league.sheets.sheet.domain.words import scorer_words
from league.sheets.sheet.models import SeasonOpenGame
from league.sheets.sheet.queries.access import season_game_for
from league.sheets.sheet.queries.open_game import sheet_shown
from league.stages.stage.domain.table_name import number_of, table_name
from league.stages.table.models import Table
from league.stages.table.queries.access import table_for
from league.stages.table.queries.table import sitting_at

WORKER: Final = settings.BASE_DIR / "league" / "static" / "league" / "score-sw.js"
MODULES: Final = ("league/scorer.js", "league/round.js", "league/outbox.js", "league/sheet.js")
"""The scripts of the scorer."""
FILES: Final = (
    *(
        "league/app.css",
        "league/theme.js",
        "league/rules.json",
        "games/shapes.svg",
        "league/favicon.svg",
    ),
    *("league/fonts/inter.woff2", "league/fonts/fraunces.woff2", "league/qr/index.js"),
    *(f"league/noble/{name}.js" for name in ("hmac", "sha2", "_md", "_u64", "utils")),
)


@never_cache
@require_safe
def score_page(request: HttpRequest, table_id: str) -> HttpResponse:
    """Show the scorer of a table. Its scripts write with a key that only the browser has.

    If the viewer may not see the table, the page shows nothing of it, not even whether it exists:
    the phone may have a key but no account, and its scripts then read the table from the API."""
    try:
        table = table_for(viewer_of(request), table_id)
    except Table.DoesNotExist:
        table = None
    facts = {
        "table": table_id,
        "name": table_name(number_of(table)) if table else gettext("Your table"),
        "page": reverse("table", args=[table_id]) if table else None,
        "key": reverse("table-write", args=[table_id]),
    }
    players = sitting_at(table).players if table else ()
    return _scorer(request, table_id, facts, players, table=table)


@never_cache
@require_safe
def game_score_page(request: HttpRequest, open_game: str) -> HttpResponse:
    """Show the scorer of a game without a table. If the viewer may not see the game, the page shows
    nothing of it, not even whether it exists."""
    try:
        row = season_game_for(viewer_of(request), open_game)
    except SeasonOpenGame.DoesNotExist:
        row = None
    seats = sheet_shown(row).seats if row else []
    again = reverse("write-where")
    if row and may_write_down(viewer_of(request), row):
        same_players = urlencode({"seat": [seat.name for seat in seats]}, doseq=True)
        again = f"{reverse('season-write', args=[row.club.slug, row.season.slug])}?{same_players}"
    facts = {
        "open_game": open_game,
        "again": again,
        "name": row.season.name if row else gettext("Your game"),
        "page": reverse("open-game", args=[open_game]) if row else None,
        "key": reverse("game-write", args=[open_game]),
    }
    return _scorer(request, open_game, facts, seats)


def _scorer(
    request: HttpRequest,
    public_id: str,
    own_facts: dict[str, str | None],
    players: Iterable[object],
    table: Table | None = None,
) -> HttpResponse:
    # The scripts add an id to these addresses, so the id with which they are made is cut off.
    games_url = reverse("game", args=[public_id]).removesuffix(f"{public_id}/")
    tables_url = reverse("table", args=[public_id]).removesuffix(f"{public_id}/")
    facts = own_facts | {
        "language": get_language(),
        "games": games_url,
        "tables": tables_url,
        "api": "/api/v1",
        "docs": reverse("rules"),
        "worker": reverse("score-worker"),
        "scope": reverse("score-worker").removesuffix("sw.js"),
        "rules": static("league/rules.json"),
        "shapes": static("games/shapes.svg"),
        "words": scorer_words(),
        "cases": rulings_for_scripts(),
    }
    context = {"table": table, "facts": facts, "modules": MODULES, "players": players}
    return render(request, "league/sheets/scorer/score.html", context)


@require_safe
def score_worker(request: HttpRequest) -> HttpResponse:
    """Serve the script that keeps the scorer for times without network, with the files that it
    keeps and their version."""
    precache = {
        "version": release_digest()[:16],
        "files": [static(name) for name in (*MODULES, *FILES)],
    }
    return worker_script(
        f"const PRECACHE = {json.dumps(precache)};\n".encode() + WORKER.read_bytes()
    )
