"""The notices of an account about a club's events, for programs."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from league.core.frame.api.links import event_link
from league.core.frame.api.operation import reads
from league.core.frame.api.pagination import LazyRows
from league.core.frame.api.serializers import Body, IdsField, LinkField, Serializer, TimeField
from league.core.log.services import Actor
from league.notices.notice.models import Notice
from league.notices.notice.queries.notice import ReadNotice, notices_in_words, notices_of_account
from league.notices.notice.services.notice import notices_see
from league.standings.ranking.api.view import WriteView, changes


class NoticeSerializer(Serializer):
    """A notice, in English, from a `ReadNotice`."""

    id_ = serializers.CharField(source="notice.public_id")
    occasion = serializers.ChoiceField(Notice.Occasion.choices, source="notice.occasion")
    event = LinkField(
        event_link,
        "notice.club.slug",
        "notice.event.slug",
        allow_null=True,
        help_text="The address of the event; null for news of a game outside of events.",
    )
    title = serializers.CharField(source="text.title")
    text = serializers.CharField(source="text.body")
    receipt = serializers.CharField(
        source="text.receipt",
        help_text=(
            "The receipt of the log's entry: keep it, `verify --receipt` checks it. "
            "Empty where there is none."
        ),
    )
    page = serializers.CharField(source="text.path", help_text="The page it's about.")
    created_at = TimeField(source="notice.created_at")
    seen_at = TimeField(source="notice.seen_at", allow_null=True)


class NoticesBody(Body):
    """The notices to mark as seen, by their ids; all of the club's if none are named."""

    notices = IdsField(required=False, min_length=1)


class NoticesSeenSerializer(Serializer):
    """The number of notices that were marked as seen."""

    seen = serializers.IntegerField(help_text="How many weren't marked before.")


class Notices(WriteView):
    """The notices of the account that asks about the club's events."""

    right = None

    def get_object(self) -> QuerySet[Notice]:
        """Return the account's notices of the club, the latest first."""
        return notices_of_account(self.writer()).filter(club=self.club)

    @reads("Your own notices", NoticeSerializer(many=True), for_writers=True)
    def list_notices(self, notices: QuerySet[Notice]) -> LazyRows[ReadNotice]:
        """The notices of the key's account about the club's events, the latest first."""

        def read(first: int, count: int) -> list[ReadNotice]:
            return notices_in_words(list(notices[first : first + count]))

        return LazyRows(notices.count, read)

    @changes(
        "Mark notices as seen",
        NoticesBody,
        NoticesSeenSerializer,
        example={"notices": ["w4kq8zt2nb"]},
    )
    def see_notices(
        self, notices: QuerySet[Notice], body: dict[str, Any], actor: Actor
    ) -> dict[str, Any]:
        """Mark your own notices as seen: those that are named, or all of the club's."""
        rows = notices.filter(seen_at=None)
        if "notices" in body:
            rows = notices.filter(public_id__in=body["notices"])
        public_ids = list(rows.values_list("public_id", flat=True))
        return {"seen": notices_see(user=self.writer(), notices=public_ids)}
