"""Notices of an account about a club's events, as its page of notices shows them."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from games.models.public_id import LENGTH
from league.clubs.models import User
from league.clubs.queries.access import club_for
from league.events.api.view import EventWriteView
from league.frame.api.body import Body, Serializer
from league.frame.api.document import change_documented, documented
from league.frame.api.fields import LinkField
from league.frame.api.links import event_link
from league.frame.api.pagination import LazyRows
from league.frame.api.parameters import Paged
from league.notices.models import Notice
from league.notices.queries.notice import notices_of_account, read_notices
from league.notices.services.notice import notices_see
from league.seasons.api.view import SeenListView

MOST: Final = 200
"""So many notices one request may name."""


class NoticeSerializer(Serializer):
    """A notice, in English, from a `ReadNotice`."""

    id = serializers.CharField(source="notice.public_id")
    occasion = serializers.ChoiceField(Notice.Occasion.choices, source="notice.occasion")
    event = LinkField(event_link, "notice.club.slug", "notice.event.slug", help_text="The address of the event.")
    title = serializers.CharField(source="text.title")
    text = serializers.CharField(source="text.body")
    page = serializers.CharField(source="text.path", help_text="The page that it is about.")
    created_at = serializers.DateTimeField(source="notice.created_at")
    seen_at = serializers.DateTimeField(source="notice.seen_at", allow_null=True)


class NoticesBody(Body):
    """The notices that were seen: by their ids, or all of the club's."""

    notices = serializers.ListField(
        child=serializers.CharField(max_length=LENGTH), required=False, min_length=1, max_length=MOST
    )


class NoticesSeenSerializer(Serializer):
    """The number of notices that were seen by this."""

    seen = serializers.IntegerField(help_text="For how many that is new.")


class NoticeView(EventWriteView):
    """A view of the notices of the account that asks."""

    def own_notices(self, club: str) -> tuple[User, QuerySet[Notice]]:
        """The account, and its notices of a club, the latest first.

        Raises `Club.DoesNotExist`, and what `known_account` raises.
        """
        home = club_for(self.viewer(club), club)
        account = self.known_account(home)
        return account, notices_of_account(account).filter(club=home)


class Notices(NoticeView, SeenListView):
    """The notices of the account that asks."""

    @documented(
        "list_notices", "The own notices", NoticeSerializer(many=True), problems=[401, 403, 404], parameters=[Paged]
    )
    def get(self, request: Request, club: str) -> HttpResponseBase:
        """The notices of the key's account about the club's events, the latest first."""
        _, notices = self.own_notices(club)
        rows = LazyRows(notices.count, lambda first, count: read_notices(list(notices[first : first + count])))
        return self.paged(rows, NoticeSerializer)


class NoticesSeen(NoticeView):
    """Notices that were seen."""

    @change_documented(
        "see_notices", "Note that notices were seen", NoticesBody, NoticesSeenSerializer,
        example={"notices": ["w4kq8zt2nb"]},
    )  # fmt: skip
    def post(self, request: Request, club: str) -> Response:
        """Note that the own notices were seen: those that are named, or without a name all that the club has."""
        account, notices = self.own_notices(club)
        request_body = self.sent()
        body = NoticesBody.of(request_body.content)

        def see() -> dict[str, Any]:
            rows = notices.filter(public_id__in=body["notices"]) if "notices" in body else notices.filter(seen_at=None)
            return {"seen": notices_see(user=account, notices=list(rows.values_list("public_id", flat=True)))}

        return self.done(request_body, see)
