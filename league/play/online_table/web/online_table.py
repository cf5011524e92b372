"""The page of an online table: its lobby, the game for those who sit there and for spectators, and its end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial, wraps
from typing import Any, Concatenate, Final, ParamSpec
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine.illegal import Refused
from games.models import Kind
from games.queries.game import exports
from games.queries.online_game import OnlineGame, cup_of, last_reveal, online_game
from games.services.open_game import Overtaken
from league.core.account.models import User
from league.core.club.models import Club
from league.core.frame.letter_link import public_address
from league.core.frame.rendering import SEAT_COOKIE, public_page
from league.core.frame.saying import redirect_saying
from league.core.frame.unchanged import unless_unchanged
from league.core.viewer.web.viewer import PageContext, club_page, page_of, signed_in
from league.play.chat.queries import chat_of, has_chat
from league.play.online_table.domain import Showdown, showdown, table_now
from league.play.online_table.live import OnlineTableStreams
from league.play.online_table.models import OnlineSeat, OnlineTable, Phrase, is_pseudonym
from league.play.online_table.queries import (
    club_to_play_in,
    deadline_of,
    may_give_time,
    online_table_for,
    own_seat,
    phrases_of,
    seats_of,
    spectators_state,
    table_version,
)
from league.play.online_table.services.automatic import STRENGTHS
from league.play.online_table.services.game import seat_time_up, table_act
from league.play.online_table.services.lobby import (
    automatic_sit,
    online_table_open,
    rematch,
    seat_keep,
    seat_leave,
    seat_take,
    table_start,
)
from league.play.online_table.services.table import phrase_say
from league.play.online_table.web.online_table_form import ActForm, NewTableForm, SitForm

P = ParamSpec("P")
COOKIE_SECONDS: Final = 30 * 24 * 3600
"""So long a guest's browser keeps the key of its seat."""


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(club_to_play_in)
def new_table_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Agree on the rules and open a table of the club; its link is all that others need."""
    form = NewTableForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        user = signed_in(request)
        table = online_table_open(club=club, user=user, rules=form.rules(), settings=form.settings())
        return redirect("online-table", table.public_id)
    return club_page(
        request,
        club,
        "league/play/online_table/new.html",
        form=form,
        crumbs=[(club.name, reverse("club", args=[club.slug]))],
    )


@require_safe
@public_page(spectators_state)
@page_of(online_table_for)
def online_table_page(request: HttpRequest, table: OnlineTable) -> HttpResponse:
    """Show a table: what lies open, and to a seat the dice under its own cup.

    The page of spectators is made once for all of them; that of a seat is never kept, nor is a lobby.
    """
    seats = seats_of(table)
    seat = seat_of_request(request, table, seats)
    page = partial(_page, request, table, seats, seat)
    if seat is None and table.open_game_id is not None:
        return unless_unchanged(request, spectators_state(table.public_id), page, table.public_id)
    answer = page()
    add_never_cache_headers(answer)
    return answer


def _page(
    request: HttpRequest, table: OnlineTable, seats: Sequence[OnlineSeat], seat: OnlineSeat | None
) -> HttpResponse:
    version = table_version(table.public_id)
    context: PageContext = {
        "table": table,
        "version": version,
        "seats": seats,
        "seat": seat,
        "crumbs": [(table.club.name, reverse("club", args=[table.club.slug]))],
        "kind": Kind.BLUFF,
        "chat": chat_of(table, seat) if seat is not None and has_chat(table) else None,
        "guests": _guests(request, table, seats),
        "own_link": _own_link(request, table) if seat and seat.user_id is None else "",
        "live_url": OnlineTableStreams.url(table.public_id, version),
    }
    if table.open_game_id is None:
        context |= {"form": SitForm(), "full": len(seats) >= table.most_seats}
    else:
        context |= _game(table, seats, seat)
    return club_page(request, table.club, "league/play/online_table/table.html", **context)


def _game(table: OnlineTable, seats: Sequence[OnlineSeat], seat: OnlineSeat | None) -> PageContext:
    """What the page tells of the game."""
    assert table.open_game_id is not None
    game = online_game(table.open_game_id)
    me = seat.number if seat else None
    now = table_now(
        game.sheet,
        [(each.name, bool(each.automatic)) for each in seats],
        me,
        "" if me is None else cup_of(game, me),
        phrases_of(seats, timezone.now()),
    )
    turn = seats[now.turn]
    deadline = deadline_of(table, game.row, turn.bank)
    return {
        "now": now,
        "last": _last(game),
        "act_url": reverse("online-table-act", args=[table.public_id]),
        "again_url": reverse("online-table-again", args=[table.public_id]) if seat else "",
        "length": game.row.length,
        "key": uuid4(),
        "deadline": deadline,
        "phrases": Phrase.choices,
        "seconds": table.move_seconds + turn.bank,
        "seconds_left": table.move_seconds + turn.bank,
        **({} if seat is None or now.over else _time_of(table, game, seat, turn)),
    }


def _time_of(table: OnlineTable, game: OnlineGame, seat: OnlineSeat, turn: OnlineSeat) -> PageContext:
    """What a seat is told of the time: how much is left now, and whether it may give some."""
    time_now = timezone.now()
    left = (deadline_of(table, game.row, turn.bank) - time_now).total_seconds()
    return {
        "time_now": time_now,
        "late": left <= 0,
        "seconds_left": max(0, round(left)),
        "may_give_time": may_give_time(table, game.row, seat, turn),
    }


def _guests(request: HttpRequest, table: OnlineTable, seats: Sequence[OnlineSeat]) -> list[OnlineSeat]:
    """Return the guests whose names an organiser of the club may erase."""
    if not request.user.has_perm("league.manage_club", table.club):
        return []
    guests = [seat for seat in seats if seat.user_id is None and not seat.automatic]
    return [seat for seat in guests if not is_pseudonym(seat.name)]


def _last(game: OnlineGame) -> Showdown | None:
    """The last round whose dice were revealed."""
    value = last_reveal(game.row)
    return None if value is None else showdown(game.sheet.record.rules, value)


def seat_of_request(request: HttpRequest, table: OnlineTable, seats: Sequence[OnlineSeat]) -> OnlineSeat | None:
    """Return the seat of whoever asks; None for somebody who doesn't sit at the table."""
    user = request.user if isinstance(request.user, User) else None
    return own_seat(seats, user, request.COOKIES.get(_cookie(table), ""))


def _own_link(request: HttpRequest, table: OnlineTable) -> str:
    """The link by which a guest goes on with another device."""
    return public_address(reverse("online-table-seat", args=[table.public_id, request.COOKIES[_cookie(table)]]))


def _cookie(table: OnlineTable) -> str:
    return f"{SEAT_COOKIE}{table.public_id}"


def seat_only(
    view: Callable[Concatenate[HttpRequest, OnlineTable, OnlineSeat, P], HttpResponse],
) -> Callable[..., HttpResponse]:
    """Decorate the view of an action for seats of the table; everybody else gets a 404.

    The table's page says what the rules refuse."""

    @never_cache
    @require_POST
    @page_of(online_table_for)
    @wraps(view)
    def page(request: HttpRequest, table: OnlineTable, *args: Any, **kwargs: Any) -> HttpResponse:
        seat = seat_of_request(request, table, seats_of(table))
        if seat is None:
            raise Http404
        try:
            return view(request, table, seat, *args, **kwargs)
        except Refused as refused:
            return _refused(request, table, refused)

    return page


def _refused(request: HttpRequest, table: OnlineTable, refused: Refused) -> HttpResponse:
    words = refused.illegal.message.translated(gettext)
    return redirect_saying(request, words, "online-table", table.public_id, level=messages.ERROR)


@never_cache
@require_POST
@page_of(online_table_for)
def sit(request: HttpRequest, table: OnlineTable) -> HttpResponse:
    """Sit down, as the account that is signed in or as a guest with a name."""
    user = request.user if isinstance(request.user, User) else None
    form = SitForm(request.POST if user is None else {"name": "-", "seed": request.POST.get("seed", "")})
    if not form.is_valid():
        return redirect_saying(
            request, gettext("Say your name."), "online-table", table.public_id, level=messages.ERROR
        )
    if seat_of_request(request, table, seats_of(table)) is not None:
        return redirect("online-table", table.public_id)
    try:
        _, key = seat_take(
            table=table, user=user, name=form.cleaned_data["name"], seed=form.cleaned_data["seed"].encode()[:32]
        )
    except Refused as refused:
        return _refused(request, table, refused)
    answer = redirect("online-table", table.public_id)
    if key:
        _keep(answer, request, table, key)
    return answer


@never_cache
@require_safe
@page_of(online_table_for)
def seat_link(request: HttpRequest, table: OnlineTable, key: str) -> HttpResponse:
    """Let a guest go on with another device: the link has the seat's key."""
    if own_seat(seats_of(table), None, key) is None:
        raise Http404
    answer = redirect("online-table", table.public_id)
    _keep(answer, request, table, key)
    return answer


def _keep(answer: HttpResponse, request: HttpRequest, table: OnlineTable, key: str) -> None:
    answer.set_cookie(
        _cookie(table),
        key,
        max_age=COOKIE_SECONDS,
        path=reverse("online-table", args=[table.public_id]),
        secure=request.is_secure(),
        httponly=True,
        samesite="Lax",
    )


@seat_only
def keep(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Give a guest's seat to the account that has signed in since."""
    if not isinstance(request.user, User):
        raise Http404
    seat_keep(table=table, seat=seat, user=request.user)
    return redirect_saying(request, gettext("This seat is yours now."), "online-table", table.public_id)


@seat_only
def leave(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Leave the lobby; the host can remove another seat."""
    number = seat.number
    if seat.number == 0:
        number = int(request.POST.get("seat", "0")) if request.POST.get("seat", "0").isdecimal() else 0
    seat_leave(table=table, number=number)
    return redirect("online-table", table.public_id)


@seat_only
def automatic(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Let an automatic player sit down."""
    strength = request.POST.get("strength", "")
    if strength not in STRENGTHS:
        raise Http404
    automatic_sit(table=table, strength=strength)
    return redirect("online-table", table.public_id)


@seat_only
def start(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Begin the game, as the host."""
    if seat.number != 0:
        raise Http404
    table_start(table=table)
    return redirect("online-table", table.public_id)


@seat_only
def act(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Bid, lift the cups, or leave the game."""
    form = ActForm(request.POST)
    if not form.is_valid() or table.open_game_id is None:
        return redirect_saying(
            request, gettext("Choose a field and a face."), "online-table", table.public_id, level=messages.ERROR
        )
    data = form.cleaned_data
    cup = cup_of(online_game(table.open_game_id), seat.number) if data["roll"] else ""
    try:
        table_act(
            table=table,
            seat=seat,
            act=data["act"],
            bid=form.bid(cup) if data["act"] == "bid" else "",
            length=None if data["act"] == "leave" else data["length"],
            key=form.uuid(),
        )
    except Overtaken:
        words = gettext("Somebody else was faster: look at the table as it is now.")
        return redirect_saying(request, words, "online-table", table.public_id, level=messages.WARNING)
    return redirect("online-table", table.public_id)


@seat_only
def time_up(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Play on without the seat whose time is up."""
    seat_time_up(table=table, by=seat)
    return redirect("online-table", table.public_id)


@seat_only
def say(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Say a phrase by one tap."""
    phrase = request.POST.get("phrase", "")
    if phrase not in Phrase.values:
        raise Http404
    if not phrase_say(table=table, seat=seat, phrase=phrase):
        words = gettext("One thing at a time: wait a moment before you say the next.")
        return redirect_saying(request, words, "online-table", table.public_id, level=messages.INFO)
    return redirect("online-table", table.public_id)


@seat_only
def play_again(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Open the same table once more; whoever has the key of a seat here has it there, too."""
    again = rematch(table=table, seat=seat)
    answer = redirect("online-table", again.public_id)
    key = request.COOKIES.get(_cookie(table), "")
    if key:
        _keep(answer, request, again, key)
    return answer


@require_safe
@page_of(online_table_for)
def record_file(request: HttpRequest, table: OnlineTable) -> HttpResponse:
    """The sealed game with the proof of its dice, for `python -m engine verify`."""
    if table.game_id is None:
        raise Http404
    (line,) = exports([table.game_id])
    answer = HttpResponse(line + b"\n", content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="online-{table.public_id}.jsonl"'
    return answer
