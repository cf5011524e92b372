"""Practice in the browser: three clicks from the home page, without an account."""

from __future__ import annotations

from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from engine.illegal import Refused
from league.core.frame.saying import redirect_saying
from league.core.frame.unchanged import LIVE, part_of
from league.play.online_table.domain.bluff import showdown, table_now
from league.play.online_table.services.automatic import STRENGTHS
from league.play.online_table.web.online_table_form import ActForm
from league.play.practice.domain.chance import bid_percent
from league.play.practice.domain.lesson import STEPS, showdown_at, step_after, table_at
from league.play.practice.services import ME, Practice, practice_act, practice_of, practice_start


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def practice_page(request: HttpRequest) -> HttpResponse:
    """Choose the strength of the two automatic players; a POST begins the game."""
    strength = request.POST.get("strength", "")
    if strength in STRENGTHS:
        return redirect("practice-game", practice_start(strength=strength).token)
    return render(request, "league/play/practice/practice.html")


@require_safe
def lesson_page(request: HttpRequest) -> HttpResponse:
    """Show a lesson of two minutes: one round, step by step, always with the same dice."""
    step = _two_digit_number(request, "step") or 0
    number, given = step_after(step, _two_digit_number(request, "answer"))
    context = {
        "number": number,
        "steps": len(STEPS),
        "step": STEPS[number] if number < len(STEPS) else None,
        "given": given,
        "now": table_at(number, gettext("you")),
        "last": showdown_at(number),
    }
    return render(request, "league/play/practice/lesson.html", context)


def _two_digit_number(request: HttpRequest, name: str) -> int | None:
    text = request.GET.get(name, "")
    is_number = text.isascii() and text.isdecimal() and len(text) < 3
    return int(text) if is_number else None


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def practice_game_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show a practice game; a POST is an act of the person's seat."""
    practice = practice_of(token)
    if practice is None:
        words = gettext(
            "This game has ended: practice games are kept for an hour. Start another one."
        )
        return redirect_saying(request, words, "practice", level=messages.INFO)
    if request.method == "POST":
        return _act(request, practice)

    sheet = practice.sheet
    automatic_names = [(name, True) for name in sheet.record.seats[1:]]
    names = [(gettext("you"), False), *automatic_names]
    now = table_now(sheet, names, ME, practice.cup)
    last = None
    if practice.last is not None:
        last = showdown(sheet.record.rules, practice.last)
    context = {
        "frame": "part.html" if part_of(request) == LIVE else "base.html",
        "practice": practice,
        "now": now,
        "last": last,
        "act_url": request.path,
        "again_url": reverse("practice"),
        "length": practice.acts,
        "key": uuid4(),
        "percent": bid_percent(now),
        "third": now.dice_in_play // 3,
    }
    return render(request, "league/play/practice/game.html", context)


def _act(request: HttpRequest, practice: Practice) -> HttpResponse:
    form = ActForm(request.POST)
    if not form.is_valid() or form.cleaned_data["act"] == "leave":
        return redirect_saying(
            request, gettext("Choose a field and a face."), request.path, level=messages.ERROR
        )
    data = form.cleaned_data
    bid = form.bid(practice.cup) if data["act"] == "bid" else ""
    try:
        practice_act(practice=practice, act=data["act"], bid=bid, acts=data["length"] or 0)
    except Refused as refused:
        words = refused.illegal.message.translated(gettext)
        return redirect_saying(request, words, request.path, level=messages.ERROR)
    return redirect(request.path)
