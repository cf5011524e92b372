"""Blank score cards to print, one for each kind of game."""

from __future__ import annotations

from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from engine.bluff.ruleset import SEATS, Ruleset
from engine.kniffel.combinations import LOWER, UPPER
from games.models.game import Kind

ROUNDS: Final = range(1, 21)
"""The rounds of Bluff that fit on one page; most games have fewer."""
GAMES: Final = range(1, 4)
"""The games of Lügen-Kniffel that fit next to each other on A5."""
CARDS: Final = {
    Kind.BLUFF: {"rounds": ROUNDS, "seats": range(1, SEATS[-1] + 1), "dice": Ruleset().dice},
    Kind.LUEGEN_KNIFFEL: {
        "upper": UPPER,
        "lower": LOWER,
        "games": GAMES,
        "columns": 2 * len(GAMES),
    },
}
"""The contents of each card."""


@require_safe
def score_card_page(request: HttpRequest, kind: str) -> HttpResponse:
    """Show a page to print: for Bluff one for a table, for Lügen-Kniffel one for a player."""
    if kind not in CARDS:
        raise Http404
    game = Kind(kind)
    context = {
        "game": game.label,
        "card": f"games/score_card/{game.value}.html",
        "crumbs": [(gettext("Manual"), reverse("docs"))],
        "section": "docs",
        **CARDS[game],
    }
    return render(request, "league/records/score_card/score_card.html", context)
