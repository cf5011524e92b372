"""Notices of an account about a club's events, as its page of notices shows them."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from rest_framework import serializers

from league.clubs.models import User
from league.frame.api.links import event_link
from league.frame.api.operation import FOR_WRITERS, reads
from league.frame.api.pagination import LazyRows
from league.frame.api.serializers import Body, IdsField, LinkField, Serializer
from league.log.services import Actor
from league.notices.models import Notice
from league.notices.queries.notice import ReadNotice, notices_of_account, read_notices
from league.notices.services.notice import notices_see
from league.seasons.api.writing import WriteView, changes

MOST: Final = 200
"""So many notices one request may name."""


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
    page = serializers.CharField(source="text.path", help_text="The page that it is about.")
    created_at = serializers.DateTimeField(source="notice.created_at")
    seen_at = serializers.DateTimeField(source="notice.seen_at", allow_null=True)


class NoticesBody(Body):
    """The notices that were seen: by their ids, or all of the club's."""

    notices = IdsField(MOST, required=False, min_length=1)


class NoticesSeenSerializer(Serializer):
    """The number of notices that were seen by this."""

    seen = serializers.IntegerField(help_text="For how many that is new.")


class Notices(WriteView):
    """The notices of the account that asks about the club's events."""

    def writer(self) -> User:
        """The account that asks, whatever it may do in the club."""
        return self.known_account(self.club)

    def get_object(self) -> QuerySet[Notice]:
        """The account's notices of the club, the latest first."""
        return notices_of_account(self.writer()).filter(club=self.club)

    @reads("The own notices", NoticeSerializer(many=True), problems=FOR_WRITERS)
    def list_notices(self, notices: QuerySet[Notice]) -> LazyRows[ReadNotice]:
        """The notices of the key's account about the club's events, the latest first."""
        return LazyRows(notices.count, lambda first, count: read_notices(list(notices[first : first + count])))

    @changes("Note that notices were seen", NoticesBody, NoticesSeenSerializer, example={"notices": ["w4kq8zt2nb"]})
    def see_notices(self, notices: QuerySet[Notice], body: dict[str, Any], actor: Actor) -> dict[str, Any]:
        """Note that the own notices were seen: those that are named, or without a name all that the club has."""
        rows = notices.filter(public_id__in=body["notices"]) if "notices" in body else notices.filter(seen_at=None)
        return {"seen": notices_see(user=self.writer(), notices=list(rows.values_list("public_id", flat=True)))}
