"""Open games: written down entry by entry, at a table of an event or without one, by programs and
by phones."""

from __future__ import annotations

from datetime import datetime
from typing import Any, ClassVar, Final

from django.utils import timezone
from django.utils.functional import cached_property
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response

from engine.record.kinds import SEATS
from engine.record.shape import TEXT_LENGTH
from engine.sheet.entry import ACTS, ALL_ACTS, stored_entry
from games.domain.branch import WrittenEntry, moment_text, read_moment
from games.models.public_id import new_public_id
from games.queries.open_game import sheet_entries
from games.services.open_game import KeyEnded, Overtaken, Writer
from league.core.club.models import Club
from league.core.frame.api.links import game_link, open_game_link, season_link, table_link
from league.core.frame.api.operation import CHANGING, change_documented, reads
from league.core.frame.api.pagination import LazyRows
from league.core.frame.api.parameters import Parameters
from league.core.frame.api.problems import Problem
from league.core.frame.api.serializers import Body, LinkField, Serializer, TimeField
from league.core.key.api import KeyAuthentication
from league.core.log.queries import log_end
from league.core.log.services import Actor
from league.core.viewer.queries.access import Viewer
from league.events.event.models import Event
from league.sheets.branch.services import branch_agree, table_branch_keep
from league.sheets.confirmation.queries.confirmation import may_seal, may_write_down
from league.sheets.device.api.authentication import DeviceAuthentication
from league.sheets.device.models import ClubDevice, TableDevice
from league.sheets.sheet.models import ClubOpenGame
from league.sheets.sheet.queries.access import (
    branch_of,
    open_game_for,
    season_games_open,
    table_of_device,
)
from league.sheets.sheet.queries.open_game import (
    SheetShown,
    branches_kept,
    sheet_shown,
    sheets_shown,
)
from league.sheets.sheet.services.open_game import open_game_seal, table_game_open
from league.sheets.sheet.services.season_game import season_game_open
from league.sheets.sheet.services.writing import sheet_write
from league.sheets.watching.queries.gain import Gains, counting_rankings, gains_of
from league.stages.stage.api.view import AT_TABLE, TableView, stage_versions
from league.stages.table.models import Table
from league.standings.ranking.api.view import SeasonView, WriteView, changes
from league.standings.season.models import Season

ENTRY: Final = {
    "key": "0198f0c2-55aa-7c1e-9a51-2a4a2f0f7f10",
    "length": 12,
    "act": "close",
    "value": {"moves": ["4x4", "!"], "bidder": 1, "challenger": 2, "count": 4},
    "at": "2026-11-25T20:14:03+01:00",
}


SAID_AT: Final = (
    "When it was written, by your clock. It's stored as sent and decides nothing. RFC 3339, "
    "with an offset."
)


@extend_schema_field(OpenApiTypes.DATETIME)
class MomentField(serializers.Field[datetime, Any, str, datetime]):
    """A time as a writer's clock tells it, however wrong it is."""

    def to_internal_value(self, data: Any) -> datetime:
        """Read the time. Raise `Refused` with `bad_time`."""
        return read_moment(str(data))

    def to_representation(self, value: datetime) -> str:
        """Return the time as it is sealed."""
        return moment_text(value)


class OpenSeatSerializer(Serializer):
    """Somebody at an open game, in seat order."""

    handle = serializers.CharField()
    name = serializers.CharField()


class DifferingRoundSerializer(Serializer):
    """A round in which two sheets differ, each as a record has it."""

    number = serializers.IntegerField(help_text="From 1.")
    this_sheet = serializers.DictField(allow_null=True)
    other_sheet = serializers.DictField(allow_null=True)


class ComparisonSerializer(Serializer):
    """The other sheet of a game that two people wrote down, and the rounds in which the two don't
    agree."""

    rounds = DifferingRoundSerializer(many=True)
    url = LinkField(open_game_link, "open_game")


class OpenGameSerializer(Serializer):
    """An open game, as its sheet has it so far."""

    id_ = serializers.CharField(source="row.open_game.public_id")
    table = LinkField(
        table_link,
        "row.table.public_id",
        allow_null=True,
        help_text="Null for a game without a table.",
    )
    number = serializers.IntegerField(
        source="row.number", allow_null=True, help_text="That of the game at the table, from 1."
    )
    games = serializers.IntegerField(
        source="row.table.stage_round.stage.games",
        allow_null=True,
        help_text=(
            "How many games its table plays, not counting tie-break games. Null without a table."
        ),
    )
    season = LinkField(
        season_link, "row.club.slug", "row.season.slug", help_text="The season in which it counts."
    )
    game = serializers.CharField(source="row.open_game.kind")
    rules = serializers.DictField()
    seats = OpenSeatSerializer(many=True)
    length = serializers.IntegerField(
        source="row.open_game.sheet.length", help_text="How many entries the sheet has."
    )
    closed = serializers.IntegerField(
        source="row.open_game.sheet.state.closed", help_text="How many rounds (turns) are closed."
    )
    state = serializers.DictField(
        source="row.open_game.sheet.state",
        help_text=(
            "The current state of the table, as `engine.sheet` keeps it: dice or sheets, who "
            "opens, what is noted."
        ),
    )
    over = serializers.BooleanField(source="row.open_game.sheet.over")
    rank = serializers.ListField(
        source="ending.rank",
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="Once it is over.",
    )
    points = serializers.ListField(
        source="ending.points", child=serializers.IntegerField(), allow_null=True
    )
    confirmation = serializers.ChoiceField(
        Event.Confirmer.choices,
        source="row.confirmation",
        help_text="Who has to confirm it before it's sealed.",
    )
    heard_at = TimeField(
        source="row.open_game.sheet.heard_at",
        allow_null=True,
        help_text="When the last entry came in, calls and rulings apart.",
    )
    handed_in = serializers.BooleanField(
        help_text="True for one of two sheets that its writer has handed in."
    )
    comparison = ComparisonSerializer(
        allow_null=True,
        help_text="With the other one's sheet, once both are handed in, until the game is sealed.",
    )
    sealed = LinkField(
        game_link,
        "sealed.public_id",
        allow_null=True,
        help_text="The address of the sealed game.",
    )
    url = LinkField(open_game_link, "row.open_game.public_id")


class SeatGainSerializer(Serializer):
    """What a game changed for a seat in a ranking."""

    seat = serializers.IntegerField(help_text="From 0.")
    points = serializers.IntegerField(
        help_text="The points from this game, by the ranking’s scoring."
    )
    total = serializers.IntegerField(help_text="All points there, including this game.")
    rank_before = serializers.IntegerField(
        allow_null=True, help_text="Without this game; null if it's the first one."
    )
    rank = serializers.IntegerField(allow_null=True)
    rating_before = serializers.FloatField(source="mu_before", allow_null=True)
    rating = serializers.FloatField(source="mu", allow_null=True)


class RankingGainSerializer(Serializer):
    """What a game changed in a ranking."""

    name = serializers.CharField(
        allow_null=True, help_text="That of its season; null for the club’s ranking of all time."
    )
    seats = SeatGainSerializer(many=True, help_text="The winner first.")


class NextTableSerializer(Serializer):
    """Where somebody plays next."""

    player = serializers.CharField()
    place = serializers.CharField()
    table = LinkField(table_link, "table")


class GainsSerializer(Serializer):
    """What a game changed."""

    rankings = RankingGainSerializer(
        many=True, help_text="The rankings in which it counts; empty until it's counted."
    )
    following = NextTableSerializer(
        many=True, help_text="Once the table is finished, as far as it is published."
    )


class SheetEntrySerializer(Serializer):
    """One entry of a sheet."""

    number = serializers.IntegerField(help_text="From 0.")
    act = serializers.ChoiceField(list(ALL_ACTS))
    value = serializers.DictField()
    by = serializers.DictField(
        child=serializers.CharField(),
        help_text="`account`, `device` or `automatic`. `sealed_game` wrote what was taken over when a game is played "
        "again.",
    )
    key = serializers.UUIDField()
    device_at = serializers.CharField(allow_null=True, help_text="By the writer's own clock.")
    at = serializers.CharField()


class SheetEntriesSerializer(Serializer):
    """The entries of a sheet from a number on."""

    entries = SheetEntrySerializer(many=True)


class AddedEntrySerializer(Serializer):
    """A valid entry, and the state of the table with it, or by now."""

    number = serializers.IntegerField(help_text="That of the entry, from 0.")
    length = serializers.IntegerField(source="sheet.length")
    closed = serializers.IntegerField(source="sheet.state.closed")
    state = serializers.DictField(source="sheet.state")
    over = serializers.BooleanField(source="sheet.over")


class SheetEntryBody(Body):
    """One more entry of a sheet. The same `key` again changes nothing."""

    key = serializers.UUIDField(help_text="A name of your choice for this entry.")
    length = serializers.IntegerField(
        min_value=0, max_value=100_000, help_text="How many entries you know of."
    )
    act = serializers.ChoiceField(list(ACTS))
    value = serializers.DictField(
        child=serializers.JSONField(), help_text="As the manual says for each act."
    )
    at = MomentField(required=False, help_text=SAID_AT)


class SeatsBody(Body):
    """The players of a game."""

    seats = serializers.ListField(
        child=serializers.CharField(max_length=TEXT_LENGTH),
        min_length=SEATS[0],
        max_length=SEATS[-1],
        help_text="Handles of players of the club, in seat order.",
    )


class SealBody(Body):
    """The sheet to seal, as you have seen it."""

    length = serializers.IntegerField(
        min_value=0, max_value=100_000, help_text="How many entries you have seen."
    )


class BranchEntryBody(Body):
    """An entry that came too late."""

    key = serializers.UUIDField(help_text="The name it was sent with.")
    act = serializers.ChoiceField(list(ACTS))
    value = serializers.DictField(
        child=serializers.JSONField(), help_text="As the manual says for each act."
    )
    at = MomentField(help_text=SAID_AT)


class BranchBody(Body):
    """What you wrote while others did. The same `key` again changes nothing."""

    key = serializers.UUIDField(help_text="A name of your choice for all of it.")
    after = serializers.IntegerField(
        min_value=0, max_value=100_000, help_text="How many entries you knew of then."
    )
    entries = serializers.ListField(child=BranchEntryBody(), min_length=1, max_length=1000)


class BranchSerializer(Serializer):
    """What is kept beside the sheet."""

    id_ = serializers.CharField(source="public_id")
    after = serializers.IntegerField()
    at = TimeField(source="made_at")
    waits_until = TimeField(
        allow_null=True,
        help_text="Where the key had ended: until when it can be let onto the sheet. Else null.",
    )


class AgreedBranchSerializer(BranchSerializer):
    """What a seat agrees with, and whether that was the last agreement needed."""

    is_let_in = serializers.BooleanField(help_text="True once it's on the sheet: two seats agree.")


class KeptEntrySerializer(Serializer):
    """An entry that is kept beside a sheet."""

    key = serializers.UUIDField()
    act = serializers.ChoiceField(list(ACTS))
    value = serializers.DictField()
    at = serializers.CharField(allow_null=True, help_text="By the writer's own clock.")


class KeptBranchSerializer(AgreedBranchSerializer):
    """What is kept beside the sheet, with its entries."""

    by = serializers.DictField(child=serializers.CharField(), help_text="`account` or `device`.")
    agreed = serializers.ListField(
        child=serializers.IntegerField(), help_text="The seats that let it in, from 0."
    )
    entries = KeptEntrySerializer(many=True)


class After(Parameters):
    """From which entry on."""

    after = serializers.IntegerField(
        default=0, min_value=0, max_value=100_000, help_text="From this number on."
    )


def key_ended(branch: dict[str, Any] | None = None) -> Problem:
    """Return a 403 for a key that has ended. `branch`: where its entries are kept beside the sheet,
    as the API represents it; None if it sent none."""
    detail = "The key has ended or was revoked."
    if branch is None:
        return Problem(403, "key_ended", detail)
    kept = "What you wrote is kept beside the sheet, and goes onto it once two seats agree."
    return Problem(403, "key_ended", f"{detail} {kept}", branch=branch)


class PhoneView(WriteView):
    """A view of what can be written down, with an account's key or a device's own."""

    authentication_classes = [KeyAuthentication, DeviceAuthentication]
    post_limit: ClassVar[str] = "write"

    @property
    def device(self) -> ClubDevice | None:
        """The device that asks; None for everybody else."""
        return self.request.auth if isinstance(self.request.auth, ClubDevice) else None

    @property
    def has_ended(self) -> bool:
        """Return True if the key of the requesting device has ended."""
        return self.device is not None and self.device.device.has_ended(timezone.now())

    def pen(self, subject: Table | ClubOpenGame, *, sealing: bool = False) -> Writer:
        """Return the writer who sent the request. Raise `NotAuthenticated`, or `PermissionDenied`
        if the writer may not write (with `sealing`: seal) at this table or in this game."""
        device = self.device
        if device is not None:
            if not device.is_for(subject):
                if isinstance(device, TableDevice):
                    raise PermissionDenied("The key is for another table.", "other_table")
                raise PermissionDenied("The key is for another game.", "wrong_game")
            return Writer(device=(device.pk, device.device.public_id))
        account = self.known_account(self.club)
        is_allowed = may_seal if sealing else may_write_down
        if not is_allowed(self.viewer(), subject):
            raise PermissionDenied(AT_TABLE)
        return Writer(account=(account.pk, account.public_id))

    def refuse_ended(self) -> None:
        """Raise a 403 if the key of the requesting device has ended, or was revoked."""
        if self.has_ended:
            raise key_ended()


class TableOpening(PhoneView, TableView):
    """The next game of a table. Anybody who can enter the table's result opens it, with an
    account's key or a device's own."""

    @cached_property
    def table(self) -> Table:
        """The table of the URL. A device finds its own table even if the public may not see it."""
        device = self.device
        if isinstance(device, TableDevice) and device.table.public_id == self.kwargs["table"]:
            return table_of_device(device)
        return super().table

    @change_documented("Open a table's next game", {}, {200: OpenGameSerializer}, words=CHANGING)
    def open_table_game(self, request: Request, table: str) -> Response:
        """Open the next game of a table to write it down, or get the one that's open already. Two
        people who ask get the same game, unless the event has two people write independently."""
        writer = self.pen(self.table)
        self.refuse_ended()
        row = table_game_open(table=self.table, opener=writer)
        row.table = self.table
        return Response(self.represent(OpenGameSerializer, sheet_shown(row)))


class SeasonOpenGames(SeasonView, WriteView):
    """Games of a season that are written down without a table."""

    right = "league.enter_games"
    refusal = "Scorers and organisers of the club may do this."

    @reads("Open games of a season", OpenGameSerializer(many=True))
    def list_open_games(self, season: Season) -> LazyRows[SheetShown]:
        """The games of a season that are written down without a table and aren't sealed, the newest
        first."""
        rows = season_games_open(season)
        return LazyRows(rows.count, lambda first, count: sheets_shown(rows[first : first + count]))

    @changes(
        "Open a game of a season",
        SeatsBody,
        OpenGameSerializer,
        created=True,
        example={"seats": ["xenia", "ben"]},
    )
    def open_season_game(self, season: Season, members: dict[str, Any], actor: Actor) -> SheetShown:
        """Open a game without a table, to write it down; it counts in the season once it is
        sealed."""
        account = self.known_account(self.club)
        opener = Writer(account=(account.pk, account.public_id))
        row = season_game_open(
            season=season, handles=members["seats"], opener=opener, key=new_public_id()
        )
        return sheet_shown(row)


class OpenGames(PhoneView):
    """Open games. Anybody who can enter the table's result or the season's games writes them, or a
    device with a key for them."""

    noun = "row"

    @cached_property
    def row(self) -> ClubOpenGame:
        """The open game of the URL. Raise `ObjectDoesNotExist` if the viewer may not see its event
        or season, unless the request comes from one of the game's own devices."""

        def row_for(viewer: Viewer, public_id: str) -> ClubOpenGame:
            return open_game_for(viewer, public_id, self.reader)

        return self.by_id(row_for, self.kwargs["open_game"], lambda row: row.club)

    @cached_property
    def club(self) -> Club:
        """The club of the game, whose time zone applies."""
        return self.row.club

    @property
    def reader(self) -> ClubDevice | None:
        """The requesting device, which may see its own game even if the public may not; None for
        others. A device whose key has ended reads nothing, but may still send entries, which are
        kept beside the sheet."""
        if self.has_ended and self.request.method in SAFE_METHODS:
            return None
        return self.device

    def versions(self) -> tuple[object, ...]:
        """Return the versions of the table's stage or the season's club, the length of the sheet,
        and who confirms the game."""
        # The row was read first, so an answer is never older than the version it is sent with.
        row = self.row
        if row.table:
            surrounding_versions = stage_versions(row.table.stage_round.stage)
        else:
            surrounding_versions = (log_end(row.club.pk),)
        return (*surrounding_versions, row.open_game.sheet.length, row.confirmation)

    def overtaken(self, overtaken: Overtaken) -> Problem:
        """Return a 409 with the entries that the writer hasn't seen."""
        detail = (
            "Somebody has written on this sheet in the meantime. Look at the entries, then send "
            "yours again."
        )
        entries = [self.represent(SheetEntrySerializer, entry) for entry in overtaken.entries]
        return Problem(409, "overtaken", detail, length=overtaken.length, entries=entries)

    @reads("An open game", OpenGameSerializer)
    def get_open_game(self, row: ClubOpenGame) -> SheetShown:
        """An open game as its sheet has it: everybody who can see its table or season can watch."""
        return sheet_shown(row)

    @reads("The entries of an open game", SheetEntriesSerializer, parameters=After)
    def get_entries(self, row: ClubOpenGame) -> dict[str, Any]:
        """All that was entered, by whom and when, from a number on."""
        return {"entries": sheet_entries(row.open_game.sheet, self.query["after"])}

    @change_documented(
        "Add an entry",
        {"application/json": SheetEntryBody},
        {200: AddedEntrySerializer, 201: AddedEntrySerializer},
        examples=[OpenApiExample("A round", ENTRY, request_only=True)],
        words=CHANGING,
    )
    def add_entry(self, request: Request, open_game: str) -> Response:
        """Add one more entry to the sheet. If somebody wrote since you looked, you get a 409
        `overtaken` with the `entries` that came in between. With a key that has ended, you get a
        403 `key_ended`, and the entry is kept beside the sheet as a `branch`."""
        writer = self.pen(self.row)
        body = SheetEntryBody.of(self.sent().content)
        entry = WrittenEntry(body["key"], stored_entry(body["act"], body["value"]), body.get("at"))
        try:
            written = sheet_write(
                row=self.row, after=body["length"], entries=[entry], writer=writer, key=body["key"]
            )
        except Overtaken as overtaken:
            raise self.overtaken(overtaken) from None
        if written.branch is not None:
            raise key_ended(self.represent(BranchSerializer, written.branch))
        (added,) = written.added  # One entry was sent, and none is left over for a branch.
        return Response(
            self.represent(AddedEntrySerializer, added), status=201 if added.created else 200
        )

    @change_documented(
        "Seal an open game",
        {"application/json": SealBody},
        {200: OpenGameSerializer},
        words=CHANGING,
    )
    def seal_open_game(self, request: Request, open_game: str) -> Response:
        """Seal a game that is over, as its sheet has it. It counts from now on, and nothing more
        can be added. Where the event wants somebody other than the writer to confirm the game,
        this confirms it; from the writer, it's a 422 `not_confirmed`. Where two people write
        independently, this hands in a sheet: the second one seals the game if both agree,
        otherwise `comparison` names the rounds."""
        writer = self.pen(self.row, sealing=True)
        self.refuse_ended()
        length = SealBody.of(self.sent().content)["length"]
        try:
            open_game_seal(row=self.row, length=length, writer=writer)
        except KeyEnded:
            raise key_ended() from None
        except Overtaken as overtaken:
            raise self.overtaken(overtaken) from None
        return Response(
            self.represent(
                OpenGameSerializer,
                sheet_shown(open_game_for(self.viewer(), open_game, self.device)),
            )
        )


class SheetBranches(OpenGames):
    """What is kept beside the sheet of an open game."""

    def versions(self) -> tuple[object, ...]:
        """Return the versions of the open game, and the end of the club's log, which has an entry
        for each branch and each agreement."""
        return (*super().versions(), log_end(self.club.pk))

    @reads("What is kept beside a sheet", KeptBranchSerializer(many=True))
    def list_branches(self, row: ClubOpenGame) -> list[dict[str, Any]]:
        """What came too late, or with a key that had ended, the oldest first."""
        return branches_kept(row.open_game)

    @change_documented(
        "Keep what came too late",
        {"application/json": BranchBody},
        {200: BranchSerializer},
        words=CHANGING,
    )
    def keep_branch(self, request: Request, open_game: str) -> Response:
        """Keep beside the sheet what you wrote while others did, even once the game is sealed:
        nothing is lost, and the sheet's page shows it. What is sent with a key that has ended can
        be let in for a day."""
        writer = self.pen(self.row)
        body = BranchBody.of(self.sent().content)
        entries = [
            WrittenEntry(
                entry["key"], stored_entry(entry["act"], entry["value"]), entry["at"]
            ).as_json()
            for entry in body["entries"]
        ]
        branch = table_branch_keep(
            row=self.row, after=body["after"], entries=entries, writer=writer, key=body["key"]
        )
        return Response(self.represent(BranchSerializer, branch))

    @change_documented(
        "Agree with what was sent with an ended key",
        {},
        {200: AgreedBranchSerializer},
        words=CHANGING,
    )
    def agree_with_branch(self, request: Request, open_game: str, branch: str) -> Response:
        """Agree, for the seat at which you sit, that what is kept beside the sheet is how it was
        played. Once a second seat agrees, it goes onto the sheet, if nobody has written since."""
        if self.device is not None:
            writer = self.pen(self.row)
        else:
            account = self.known_account(self.club)
            writer = Writer(account=(account.pk, account.public_id))
        kept = branch_of(self.row, branch)
        try:
            let_in = branch_agree(row=self.row, branch=kept, writer=writer)
        except KeyEnded:
            raise key_ended() from None
        return Response(self.represent(AgreedBranchSerializer, {**vars(kept), "is_let_in": let_in}))


class OpenGameGains(OpenGames):
    """What an open game changed once it is sealed."""

    def versions(self) -> tuple[object, ...]:
        """Return the versions of the open game, and those of the rankings in which it counts."""
        rankings = [(ranking.public_id, ranking.version) for ranking in counting_rankings(self.row)]
        return (*super().versions(), *rankings)

    @reads("What a written game changed", GainsSerializer)
    def get_gains(self, row: ClubOpenGame) -> Gains:
        """What the game changed in every ranking where it counts, and where its players play
        next."""
        return gains_of(row)
