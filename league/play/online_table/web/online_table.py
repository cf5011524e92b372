"""The page of an online table: its lobby, the game for seats and spectators, and the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
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
from games.queries.online_game import OnlineGame, online_game
from games.services.open_game import Overtaken
from league.core.account.models import User
from league.core.club.models import Club
from league.core.frame.numbers import whole_number
from league.core.frame.rendering import public_page
from league.core.frame.unchanged import unless_unchanged
from league.core.viewer.web.viewer import PageContext, club_page, page_of, signed_in
from league.play.chat.queries import chat_of, has_chat
from league.play.online_table.live import OnlineTableStreams
from league.play.online_table.models import OnlineSeat, OnlineTable, Phrase, is_pseudonym
from league.play.online_table.queries import (
    club_to_play_in,
    may_give_time,
    online_table_for,
    own_seat,
    seasons_to_count_in,
    seats_of,
    spectators_state,
    table_deadline,
    table_version,
    turn_ends_at,
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
from league.play.online_table.services.unsent import unsent_forget
from league.play.online_table.web.event_table import event_table_context
from league.play.online_table.web.game_pages import GAME_PAGES
from league.play.online_table.web.online_table_form import SitForm
from league.play.online_table.web.seat import (
    refused_page,
    seat_cookie,
    seat_link_of,
    seat_of_browser,
    seat_only,
    seat_remember,
    table_saying,
)
from league.play.online_table.web.unsent import unsent_context
from league.play.turn.queries import turns_now
from league.sheets.sheet.queries.call import TableCall, table_call
from league.standings.ranked_game.queries.provisional import result_is_provisional
from league.standings.season.models import Season


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@page_of(club_to_play_in)
def new_table_page(request: HttpRequest, club: Club) -> HttpResponse:
    """Choose the rules and open a table of the club; others only need its link.

    `?game=…`: the kind of game. `?season=…`: the season in which the game counts.
    """
    seasons = seasons_to_count_in(club)
    slug = request.GET.get("season", "")
    season = next((each for each in seasons if each.slug == slug), None)
    if slug and season is None:
        raise Http404
    kind = season.kind if season else request.GET.get("game", Kind.BLUFF)
    if kind not in GAME_PAGES:
        raise Http404

    form = GAME_PAGES[kind].form(request.POST or None, season)
    if request.method == "POST" and form.is_valid():
        try:
            table = online_table_open(
                club=club,
                user=signed_in(request),
                rules=form.rules(),
                settings=form.settings(),
                season=season,
            )
        except Refused as refused:
            form.add_error(None, refused.illegal.message.translated(gettext))
        else:
            return redirect("online-table", table.public_id)

    return club_page(
        request,
        club,
        "league/play/online_table/new.html",
        form=form,
        season=season,
        views=_places_to_count(club, kind, seasons, season),
        kind=kind,
        games=[(Kind(name).label, f"?game={name}") for name in GAME_PAGES],
        game=f"?game={kind}",
        crumbs=[(club.name, reverse("club", args=[club.slug]))],
    )


def _places_to_count(
    club: Club, kind: str, seasons: Sequence[Season], chosen: Season | None
) -> list[tuple[str, str, bool]]:
    page = reverse("online-table-new", args=[club.slug])
    of_kind = [season for season in seasons if season.kind == kind]
    if not of_kind:
        return []
    links = [(gettext("friendly"), f"{page}?game={kind}", chosen is None)]
    for season in of_kind:
        links.append((season.name, f"{page}?season={season.slug}", season == chosen))
    return links


@require_safe
@public_page(spectators_state)
@page_of(online_table_for)
def online_table_page(request: HttpRequest, table: OnlineTable) -> HttpResponse:
    """Show a table: the open dice, and to a seat the dice under its own cup.

    The spectators' page is rendered once for all of them. The pages of seats, lobbies and
    turn-by-turn tables are never cached: a holiday may begin there without anybody acting.
    """
    seats = seats_of(table)
    seat = seat_of_browser(request, table, seats)
    page = partial(_table_page, request, table, seats, seat)
    if seat is None and table.open_game_id is not None and not table.is_turn_by_turn:
        return unless_unchanged(request, spectators_state(table.public_id), page, table.public_id)
    answer = page()
    add_never_cache_headers(answer)
    return answer


def _table_page(
    request: HttpRequest, table: OnlineTable, seats: Sequence[OnlineSeat], seat: OnlineSeat | None
) -> HttpResponse:
    version = table_version(table.public_id)
    context: PageContext = {
        "table": table,
        "version": version,
        "seats": seats,
        "seat": seat,
        "crumbs": [(table.club.name, reverse("club", args=[table.club.slug]))],
        "kind": table.kind,
        "script": GAME_PAGES[table.kind].script,
        "chat": None,
        "guests": _erasable_guests(request, table, seats),
        "own_link": "",
        "live_url": OnlineTableStreams.url(table.public_id, version),
    }
    if seat is not None and has_chat(table):
        context["chat"] = chat_of(table, seat)
    if seat is not None and seat.user_id is None:
        context["own_link"] = seat_link_of(request, table)
    if table.stage_table is not None:
        context.update(event_table_context(request, table, seat))
    if table.open_game_id is None:
        context["form"] = SitForm()
        context["full"] = len(seats) >= table.most_seats
    else:
        context.update(_game_context(table, seats, seat))
    return club_page(request, table.club, "league/play/online_table/table.html", **context)


def _game_context(
    table: OnlineTable, seats: Sequence[OnlineSeat], seat: OnlineSeat | None
) -> PageContext:
    assert table.open_game_id is not None
    game = online_game(table.open_game_id)
    page = GAME_PAGES[table.kind]
    context: PageContext = {
        "game_template": page.template,
        "act_url": reverse("online-table-act", args=[table.public_id]),
        "again_url": "",
        "length": game.row.length,
        "key": uuid4(),
        "phrases": Phrase.choices,
        "provisional": table.game is not None and result_is_provisional(table.game),
        "uncounted_words": "",
    }
    if seat is not None:
        context["again_url"] = reverse("online-table-again", args=[table.public_id])
    reason = table.uncounted_reason
    if reason is not None:
        context["uncounted_words"] = reason.translated(gettext)
    context.update(page.context(game, seats, seat))
    context.update(_clock_context(table, game, seats, seat))
    context.update(unsent_context(table, game, seat))
    context.update(_arbiter_context(table, game, seat))
    return context


def _arbiter_context(table: OnlineTable, game: OnlineGame, seat: OnlineSeat | None) -> PageContext:
    """Return the waiting call for the arbiter, or the last ruling until the round after it or the
    game is over. Empty if the game doesn't count.
    """
    if not table.is_counted:
        return {}
    call_state = table_call(game.row, table.kind)
    is_past = game.sheet.over or call_state.round_number < game.sheet.closed
    if call_state.ruled and is_past:
        call_state = TableCall()
    call = call_state.call
    if seat is None:
        return {"said": call_state, "own_call": False, "may_call": False}
    return {
        "said": call_state,
        "own_call": call is not None and call.seat == seat.number,
        "may_call": call is None and not game.sheet.over,
    }


def _clock_context(
    table: OnlineTable, game: OnlineGame, seats: Sequence[OnlineSeat], seat: OnlineSeat | None
) -> PageContext:
    """Return the context of the table's clock; empty once the game is over.

    `deadline`: when the time of the seats to act is up; `ends_at`: when the others may play on
    without them, which is later in a counted game. `seat`: the reader's own.
    """
    if game.sheet.over:
        return {}
    if table.is_turn_by_turn:
        return {"turns": turns_now(table, seats)}

    deadline = table_deadline(table, game, seats)
    ends_at = turn_ends_at(table, deadline)
    bank = 0 if game.sheet.asks_all else seats[game.sheet.to_act[0]].bank
    seconds = table.move_seconds + bank
    clock: PageContext = {
        "deadline": deadline,
        "ends_at": ends_at,
        "seconds": seconds,
        "seconds_left": seconds,
    }
    if seat is None:
        # The spectators' page is cached, so it mustn't depend on the current time.
        return clock

    time_now = timezone.now()
    clock["time_now"] = time_now
    clock["late"] = time_now >= ends_at
    clock["seconds_left"] = max(0, round((deadline - time_now).total_seconds()))
    clock["may_give_time"] = may_give_time(table, game, seat, seats)
    return clock


def _erasable_guests(
    request: HttpRequest, table: OnlineTable, seats: Sequence[OnlineSeat]
) -> list[OnlineSeat]:
    if not request.user.has_perm("league.manage_club", table.club):
        return []
    guests = [seat for seat in seats if seat.user_id is None and not seat.automatic]
    return [seat for seat in guests if not is_pseudonym(seat.name)]


@never_cache
@require_POST
@page_of(online_table_for)
def sit(request: HttpRequest, table: OnlineTable) -> HttpResponse:
    """Sit down, as the account that is signed in or as a guest with a name."""
    user: User | None = None
    data: Mapping[str, Any] = request.POST
    if isinstance(request.user, User):
        user = request.user
        data = {"name": "-", "seed": request.POST.get("seed", "")}
    form = SitForm(data)
    if not form.is_valid():
        return table_saying(request, table, gettext("Enter your name."), level=messages.ERROR)

    if seat_of_browser(request, table, seats_of(table)) is not None:
        return redirect("online-table", table.public_id)
    try:
        _, key = seat_take(
            table=table,
            user=user,
            name=form.cleaned_data["name"],
            seed=form.cleaned_data["seed"].encode(),
        )
    except Refused as refused:
        return refused_page(request, table, refused)

    answer = redirect("online-table", table.public_id)
    if key:
        seat_remember(answer, request, table, key)
    return answer


@never_cache
@require_safe
@page_of(online_table_for)
def seat_link(request: HttpRequest, table: OnlineTable, key: str) -> HttpResponse:
    """Let a guest continue on another device with the link that holds the seat's key."""
    if own_seat(seats_of(table), None, key) is None:
        raise Http404
    answer = redirect("online-table", table.public_id)
    seat_remember(answer, request, table, key)
    return answer


@seat_only
def keep(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Give a guest's seat to the account that has signed in since."""
    if not isinstance(request.user, User):
        raise Http404
    seat_keep(table=table, seat=seat, user=request.user)
    return table_saying(request, table, gettext("This seat is yours now."))


@seat_only
def leave(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Leave the lobby; the host can remove another seat instead."""
    number = seat.number
    chosen = whole_number(request.POST.get("seat", ""))
    if seat.number == 0 and chosen is not None:
        number = chosen
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
    if seat.number != 0 or table.stage_table_id is not None:
        raise Http404
    table_start(table=table)
    return redirect("online-table", table.public_id)


@seat_only
def act(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Act in the game, or leave it."""
    page = GAME_PAGES[table.kind]
    sent = None
    if table.open_game_id is not None:
        sent = page.read_act(request.POST, online_game(table.open_game_id), seat)
    if sent is None:
        return table_saying(request, table, str(page.incomplete), level=messages.ERROR)
    try:
        table_act(
            table=table, seat=seat, act=sent.act, value=sent.value, length=sent.length, key=sent.key
        )
    except Overtaken:
        words = gettext("Somebody else was faster: look at the table as it is now.")
        return table_saying(request, table, words, level=messages.WARNING)
    unsent_forget(table=table, seat=seat)
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
        words = gettext("One thing at a time: wait a moment before you say something else.")
        return table_saying(request, table, words, level=messages.INFO)
    return redirect("online-table", table.public_id)


@seat_only
def play_again(request: HttpRequest, table: OnlineTable, seat: OnlineSeat) -> HttpResponse:
    """Open a rematch. A guest's key for a seat here is valid there, too."""
    again = rematch(table=table, seat=seat)
    answer = redirect("online-table", again.public_id)
    key = request.COOKIES.get(seat_cookie(table), "")
    if key:
        seat_remember(answer, request, again, key)
    return answer


@require_safe
@page_of(online_table_for)
def record_file(request: HttpRequest, table: OnlineTable) -> HttpResponse:
    """Return the sealed game with the proof of its dice, for `python -m engine verify`."""
    if table.game_id is None:
        raise Http404
    (line,) = exports([table.game_id])
    answer = HttpResponse(line + b"\n", content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="online-{table.public_id}.jsonl"'
    return answer
