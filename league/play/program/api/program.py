"""Online tables for programs: reading, sitting down, beginning, acting, and the streams of a game
and of an account.

A program plays with a key of the scope `play`, and its account is marked permanently as a
program's. Everybody else may read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final, NamedTuple

import structlog
from django.core.exceptions import ObjectDoesNotExist
from django.db.models import QuerySet
from django.http import StreamingHttpResponse
from django.utils.functional import cached_property
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response

from engine.illegal import Refused
from games.queries.online_game import OnlineGame, online_game
from games.services.online_game import Acted
from games.services.open_game import Overtaken
from league.core.account.models import User
from league.core.club.models import Club
from league.core.frame.api.operation import BYTES, CHANGING, LINES, change_documented, reads
from league.core.frame.api.parameters import Paged, Parameters
from league.core.frame.api.problems import Problem
from league.core.frame.client_address import client_network
from league.core.frame.limits import limit_use
from league.core.frame.stream_gate import INNER
from league.core.key.api import KeyAuthentication
from league.core.key.models import ApiKey
from league.core.key.services.idempotency import KeyReused
from league.core.log.services import Actor
from league.play.online_table.models import OnlineSeat, OnlineTable
from league.play.online_table.queries import club_to_play_in, online_table_for, own_seat, seats_of
from league.play.online_table.services.game import seat_time_up
from league.play.online_table.services.lobby import (
    automatic_sit,
    online_table_open,
    rematch,
    seat_leave,
    seat_take,
    table_start,
)
from league.play.program.api.bodies import (
    ForGoodBody,
    NewOnlineTableBody,
    SeatBody,
    SeedBody,
    StrengthBody,
)
from league.play.program.api.program_games import ACT_BODY, PROGRAM_GAMES
from league.play.program.api.serializers import (
    OnlineEntriesSerializer,
    OnlineTableRowSerializer,
    OnlineTableSerializer,
    ProgramSerializer,
)
from league.play.program.domain.table import TableSeen
from league.play.program.live import AccountStreams, GameStreams
from league.play.program.queries import (
    public_entries,
    table_read,
    table_seen,
    tables_of_account,
    tables_of_club,
)
from league.play.program.services import account_mark_program, program_act
from league.sheets.sheet.api import After
from league.standings.ranking.api.view import WriteView, changes, named_by_id

log = structlog.get_logger(__name__)

FORBIDDEN: Final = ("people_only", "sits_for_people")
"""The faults that are answered with a 403: the account may not do this here, whatever it sends."""
KEY_ALONE: Final[Any] = [{"key": []}]
"""The authentication of operations where the key determines the account."""
ACTS: Final[Mapping[str, Any]] = {
    "A bid in Bluff": {"act": "bid", "bid": "4x5", "length": 12},
    "A challenge in Bluff": {"act": "challenge", "length": 13},
    "A roll in Lügen-Kniffel": {"act": "roll", "keep": [0, 3], "length": 4},
    "An announcement in Lügen-Kniffel": {"act": "announce", "say": "fours=12", "length": 5},
    "A doubt in Lügen-Kniffel": {"act": "doubt", "turn": 2},
}


class PlayView(WriteView):
    """A view for programs with a key of the scope `play`. Requests without a key are a
    spectator's.
    """

    authentication_classes = [KeyAuthentication]
    scope = ApiKey.Scope.PLAY
    right = None
    post_limit: ClassVar[str] = "play"

    def writer(self) -> User:
        """Return the account of the program that acts. Raise `NotAuthenticated`, and problems 403
        and 429.
        """
        account = self.known_account(self.club)
        self.count("play_address", f"address {client_network(self.request._request)}")
        if not account.is_program:
            detail = "Only an account marked as a program can play with a key."
            raise Problem(403, "not_a_program", detail)
        return account

    def count(self, limit: str, who: str) -> None:
        """Count a request against an additional limit. Raise a problem 429."""
        usage = limit_use(limit, who)
        if usage is not None and usage.exceeded:
            self.throttled(self.request, usage.ends)

    def handle_exception(self, exc: Exception) -> Response:
        """Answer with a problem, and log refused changes."""
        if isinstance(exc, Refused) and exc.illegal.code in FORBIDDEN:
            exc = Problem(403, exc.illegal.code, f"{exc.illegal.message}".capitalize() + ".")
        response = super().handle_exception(exc)
        if response.status_code in (403, 404) and self.request.method not in SAFE_METHODS:
            key = self.request.auth
            log.warning(
                "play.refused",
                path=self.request.path,
                method=self.request.method,
                code=response.data["code"],
                key=key.public_id if isinstance(key, ApiKey) else None,
            )
        return response


class OwnPlay(NamedTuple):
    """An account with its tables in the club of its key."""

    user: User
    club: Club
    tables: list[OnlineTable]


class Programs(PlayView):
    """The account of a key."""

    noun = "club"

    @cached_property
    def club(self) -> Club:
        """Return the club of the key. Raise `NotAuthenticated`."""
        key = self.request.auth
        if not isinstance(key, ApiKey):
            raise NotAuthenticated("This needs a key of the club.")
        return key.club

    def own_play(self) -> OwnPlay:
        """Return the account of the key, with its current mark and its current tables."""
        account = self.known_account(self.club)
        account.refresh_from_db(fields=["is_program"])
        return OwnPlay(account, self.club, tables_of_account(account, self.club))

    @extend_schema(auth=KEY_ALONE)
    @reads(
        "Your account as a player",
        ProgramSerializer,
        parameters=Parameters,
        problems={403: CHANGING[403]},
    )
    def get_own_play(self, club: Club) -> OwnPlay:
        """The account of the key: whether it is marked as a program, and the tables at which it
        sits.
        """
        return self.own_play()

    @extend_schema(auth=KEY_ALONE)
    @reads(
        "What happens at your tables",
        BYTES,
        parameters=Parameters,
        problems={403: CHANGING[403]},
        media_type=LINES,
    )
    def stream_own_play(self, club: Club) -> StreamingHttpResponse:
        """A stream of lines of JSON, each with a `type` and a `table`: `seated` (you sit in a
        lobby), `game_begun`, `your_turn`, `game_over`, `unseated`. It begins with the current state
        of all your tables. An empty line is sent after a while without events. Revoking the key
        ends the stream.
        """
        account = self.known_account(club)
        key: Any = self.request.auth
        return stream_response(
            AccountStreams.url_of(account=account.pk, club=club.pk, api_key=key.pk)
        )

    def writer(self) -> User:
        """Return the account of the key. It needs no mark, because here it is marked."""
        return self.known_account(self.club)

    @changes(
        "Mark your account as a program", ForGoodBody, ProgramSerializer, example={"for_good": True}
    )
    def mark_program(self, club: Club, members: dict[str, Any], actor: Actor) -> OwnPlay:
        """Mark the account of the key as a program's. The mark is permanent. It is shown at tables
        and on the player's page, and the account can only sit where programs are welcome.
        """
        account_mark_program(user=self.known_account(club))
        return self.own_play()


class ClubOnlineTables(PlayView):
    """The online tables of a club."""

    noun = "club"
    post_limit: ClassVar[str] = "open_table"

    @reads("Online tables of a club", OnlineTableRowSerializer(many=True), parameters=Paged)
    def list_online_tables(self, club: Club) -> QuerySet[OnlineTable]:
        """The tables on the club's page that wait for players or are in play, the newest first."""
        return tables_of_club(club)

    @changes(
        "Open an online table",
        NewOnlineTableBody,
        OnlineTableSerializer,
        created=True,
        example={"seed": "moon"},
    )
    def open_online_table(self, club: Club, members: dict[str, Any], actor: Actor) -> TableSeen:
        """Open a table and take its first seat. Members of the club and its players may do so. As
        the host, you begin the game.
        """
        try:
            club_to_play_in(self.viewer(club.slug), club.slug)
        except ObjectDoesNotExist:
            detail = "Only members and players of the club can open tables."
            raise Problem(403, "permission_denied", detail) from None
        rules = members.pop("rules")
        seed = members.pop("seed").encode()
        table = online_table_open(
            club=club, user=self.known_account(club), rules=rules, settings=members, seed=seed
        )
        return table_seen(table_read(table, ()), 0)


class OnlineTables(PlayView):
    """One online table."""

    noun = "table"
    club_path = "table.club"
    table = named_by_id("online_table", online_table_for, "club")

    @cached_property
    def seats(self) -> list[OnlineSeat]:
        """Return the seats at the beginning of the request."""
        return seats_of(self.table)

    @property
    def seat(self) -> OnlineSeat:
        """Return the seat of the requesting account. Raise problems 403 and 429."""
        seat = own_seat(self.seats, self.known_account(self.club), "")
        if seat is None:
            raise Problem(403, "not_seated", "You don't sit at this table.")
        self.count("seat", f"seat {seat.pk}")
        return seat

    def host(self) -> OnlineSeat:
        """Return the seat of the requesting account if it is the host's. Raise problems 403 and
        429.
        """
        seat = self.seat
        if seat.number != 0:
            raise Problem(403, "not_host", "Only the host of the table can do this.")
        return seat

    def seen(self, table: OnlineTable) -> TableSeen:
        """Return the table as the requesting account sees it."""
        user = self.viewer(table.club.slug).user
        seats = seats_of(table)
        own = own_seat(seats, user, "") if isinstance(user, User) else None
        if own is None:
            return table_seen(table_read(table, (), seats), None)
        return table_seen(table_read(table, (own.number,), seats), own.number)

    def seen_after_change(self) -> TableSeen:
        """Return the table as the requesting account sees it after a change."""
        return self.seen(online_table_for(self.viewer(), self.table.public_id))

    @reads("An online table", OnlineTableSerializer, parameters=Parameters)
    def get_online_table(self, table: OnlineTable) -> TableSeen:
        """A table as you see it: all open dice, and of the hidden ones only those under your own
        cups.
        """
        return self.seen(table)

    @reads("The entries of an online table", OnlineEntriesSerializer, parameters=After)
    def get_online_entries(self, table: OnlineTable) -> dict[str, Any]:
        """All acts from a given number on. Dice appear in `reveal` acts, once the cups are up. A `roll`
        doesn't show which dice stay, and an `answer` doesn't show what was answered.
        """
        if table.open_game_id is None:
            return {"entries": []}
        return {"entries": public_entries(online_game(table.open_game_id), self.query["after"])}

    @reads("What happens at an online table", BYTES, parameters=Parameters, media_type=LINES)
    def stream_online_table(self, table: OnlineTable) -> StreamingHttpResponse:
        """A stream of lines of JSON. The first line is the table as you see it (`type` is `state`).
        Then each entry is sent (`entry`), and after the last one what you can do now (`now`). A
        change in the lobby sends a `state` again. An empty line is sent after a while without
        events. The stream ends with the game, or when the key is revoked.
        """
        account = None
        user = self.viewer(table.club.slug).user
        if isinstance(user, User) and own_seat(self.seats, user, "") is not None:
            account = user.pk
        key = self.request.auth
        api_key = key.pk if isinstance(key, ApiKey) else None
        address = GameStreams.url_of(table=table.public_id, account=account, api_key=api_key)
        return stream_response(address)

    @changes("Sit down", SeedBody, OnlineTableSerializer, example={"seed": "moon"})
    def sit_down(self, table: OnlineTable, members: dict[str, Any], actor: Actor) -> TableSeen:
        """Sit down at a table that hasn't begun. If you already sit there, you keep your seat."""
        seat_take(
            table=table, user=self.known_account(self.club), name="", seed=members["seed"].encode()
        )
        return self.seen_after_change()

    @changes("Stand up", SeatBody, OnlineTableSerializer)
    def stand_up(self, table: OnlineTable, members: dict[str, Any], actor: Actor) -> TableSeen:
        """Leave the lobby, or as the host remove another seat. To leave a game, send the act
        `leave`.
        """
        number = self.seat.number
        if "seat" in members:
            self.host()
            number = members["seat"]
        seat_leave(table=table, number=number)
        return self.seen_after_change()

    @changes(
        "Add an automatic player",
        StrengthBody,
        OnlineTableSerializer,
        example={"strength": "steady"},
    )
    def add_automatic_player(
        self, table: OnlineTable, members: dict[str, Any], actor: Actor
    ) -> TableSeen:
        """Let an automatic player of the service sit down."""
        self.host()
        automatic_sit(table=table, strength=members["strength"])
        return self.seen_after_change()

    @change_documented("Begin the game", {}, {200: OnlineTableSerializer}, words=CHANGING)
    def begin_online_game(self, request: Request, online_table: str) -> Response:
        """Begin the game as the host. From now on seats, rules and seeds are fixed. Repeating the
        request changes nothing.
        """
        self.writer()
        self.host()
        table_start(table=self.table)
        return Response(self.represent(OnlineTableSerializer, self.seen_after_change()))

    @change_documented("Play on without a seat", {}, {200: OnlineTableSerializer}, words=CHANGING)
    def play_on(self, request: Request, online_table: str) -> Response:
        """Play on without the seat whose time is up (rulings B17, K15); a seat that was asked
        believes (ruling K16).
        """
        self.writer()
        seat_time_up(table=self.table, by=self.seat)
        return Response(self.represent(OnlineTableSerializer, self.seen_after_change()))

    @change_documented("Play again", {}, {201: OnlineTableSerializer}, words=CHANGING)
    def play_again(self, request: Request, online_table: str) -> Response:
        """Open a rematch for the same players once the game is over. Everybody who asks gets the
        same table.
        """
        self.writer()
        again = rematch(table=self.table, seat=self.seat)
        answer = self.represent(OnlineTableSerializer, self.seen(again))
        return Response(answer, status=201, headers={"Location": answer["url"]})

    @change_documented(
        "Act",
        {"application/json": ACT_BODY},
        {200: OnlineTableSerializer},
        examples=[OpenApiExample(name, act, request_only=True) for name, act in ACTS.items()],
        words=CHANGING,
    )
    def act(self, request: Request, online_table: str) -> Response:
        """Act in the game, or leave it. If somebody was faster, the answer is a 409 `overtaken`
        with the current `table`. An answer in Lügen-Kniffel names its turn, so nobody can be
        faster. A request that is repeated with the same `Idempotency-Key` is the same act, for
        as long as the game is kept.
        """
        self.writer()
        seat = self.seat
        kind = PROGRAM_GAMES[self.table.kind]
        sent = kind.read_act(kind.body.of(self.sent().content))
        key = self.request.headers.get("Idempotency-Key", "")
        api_key: Any = self._api_key_for(key) if key else self.request.auth
        try:
            acted = program_act(
                table=self.table,
                seats=self.seats,
                seat=seat,
                act=sent.act,
                value=sent.value,
                length=sent.length,
                api_key=api_key,
                key=key,
            )
        except KeyReused:
            raise Problem(422, *CHANGING[422]) from None
        except Overtaken as overtaken:
            raise self._overtaken(overtaken) from None

        response = Response(
            self.represent(OnlineTableSerializer, self._seen_after_act(acted, seat))
        )
        if not acted.created:
            response["Idempotency-Replayed"] = "true"
        return response

    def _overtaken(self, overtaken: Overtaken) -> Problem:
        detail = (
            "Somebody was faster. Look at the table as it is now, and act again if it is your turn."
        )
        table = self.represent(OnlineTableSerializer, self.seen_after_change())
        return Problem(409, "overtaken", detail, length=overtaken.length, table=table)

    def _seen_after_act(self, acted: Acted, seat: OnlineSeat) -> TableSeen:
        if acted.row.over:
            return self.seen_after_change()
        game = OnlineGame(acted.row, acted.sheet)
        return table_seen(table_read(self.table, (seat.number,), self.seats, game), seat.number)


def stream_response(url: str) -> StreamingHttpResponse:
    """Return an answer that the event loop replaces by the stream at this internal address."""
    return StreamingHttpResponse(iter([b""]), content_type=LINES, headers={INNER: url})
