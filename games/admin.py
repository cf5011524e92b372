"""The administration of games: facts, to be looked at and never changed."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.db.models.functions import Now
from django.http import HttpRequest
from unfold.admin import ModelAdmin, TabularInline

from games.models import Game, Outbox, Round, Seat


class ReadOnly:
    """Nothing is added, changed or deleted here: facts come in by import, what follows from them by jobs."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Never."""
        return False


class SeatInline(ReadOnly, TabularInline):  # type: ignore[misc]
    """The seats of a game."""

    model = Seat
    fields = ("number", "handle", "rank", "cntdice", "points")


class RoundInline(ReadOnly, TabularInline):  # type: ignore[misc]
    """The sealed rounds of a game, by their digests."""

    model = Round
    fields = ("number", "digest_hex", "entered_at", "entered_by")
    readonly_fields = ("digest_hex", "entered_at")

    @admin.display(description="digest")
    def digest_hex(self, row: Round) -> str:
        """The digest as hexadecimal figures."""
        return bytes(row.digest).hex()


@admin.register(Game)
class GameAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """Games as they were sealed."""

    list_display = (
        "external_id",
        "revision",
        "kind",
        "source",
        "event",
        "table",
        "played_at",
        "over",
        "entered_at",
    )
    list_filter = ("kind", "over")
    search_fields = ("external_id", "seats__handle")
    date_hierarchy = "played_at"
    fields = (
        "source", "external_id", "revision", "replaces", "reason", "kind", "played_at", "event", "table",
        "over", "round_count", "entered_at", "entered_by", "header", "head_hex",
    )  # fmt: skip
    readonly_fields = ("head_hex", "entered_at")
    inlines = (SeatInline, RoundInline)

    @admin.display(description="head of the chain")
    def head_hex(self, game: Game) -> str:
        """The last digest, which stands for the whole game."""
        return bytes(game.head).hex()


@admin.register(Outbox)
class OutboxAdmin(ReadOnly, ModelAdmin):  # type: ignore[misc]
    """What waits to be counted; what is stuck says why."""

    list_display = ("id", "game", "created_at", "done_at", "attempts", "due_at", "error")
    list_filter = (("done_at", admin.EmptyFieldListFilter), "attempts")
    list_select_related = ("game",)
    actions = ("try_again",)

    @admin.action(description="Try again now")
    def try_again(self, request: HttpRequest, rows: QuerySet[Outbox]) -> None:
        """Make the rows due, so that the next sweep takes them."""
        count = rows.filter(done_at=None).update(due_at=Now())
        self.message_user(request, f"{count} due now; the next sweep takes them.")
