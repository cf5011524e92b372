"""What an account is told of a club's events, as its page of notices shows it."""

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
from league.frame.api.body import Body
from league.frame.api.document import change_documented, documented
from league.frame.api.links import event_link
from league.frame.api.pagination import LazyRows
from league.frame.api.parameters import Paged
from league.notices.models import Notice
from league.notices.queries.notice import ReadNotice, notices_of_account, read_notices
from league.notices.services.notice import notices_see
from league.seasons.api.view import SeenListView

MOST: Final = 200
"""So many notices one request may name."""


class NoticeShape(serializers.Serializer[None]):
    """A notice, in English."""

    id = serializers.CharField()
    occasion = serializers.ChoiceField(Notice.Occasion.choices)
    event = serializers.CharField(help_text="The address of the event.")
    title = serializers.CharField()
    text = serializers.CharField()
    page = serializers.CharField(help_text="The page that it is about.")
    created_at = serializers.DateTimeField()
    seen_at = serializers.DateTimeField(allow_null=True)


EXAMPLE: Final = {
    "id": "w4kq8zt2nb", "occasion": "table", "event": event_link("stern", "night-1"), "title": "Round 2: table 3",
    "text": "First night, Swiss. With Ben, Cleo, Dario. You open.", "page": "/tables/b3hw7rk5zt/",
    "created_at": "2026-12-03T19:21:00Z", "seen_at": None,
}  # fmt: skip


def notice_json(read: ReadNotice) -> dict[str, Any]:
    """A notice as it is sent."""
    notice = read.notice
    return {
        "id": notice.public_id,
        "occasion": notice.occasion,
        "event": event_link(notice.club.slug, notice.event.slug),
        "title": read.text.title,
        "text": read.text.body,
        "page": read.text.path,
        "created_at": notice.created_at,
        "seen_at": notice.seen_at,
    }


class SeenNoticesBody(Body):
    """Which notices were seen: by their ids, or all of the club's."""

    notices = serializers.ListField(
        child=serializers.CharField(max_length=LENGTH), required=False, min_length=1, max_length=MOST
    )


class SeenShape(serializers.Serializer[None]):
    """What came of it."""

    seen = serializers.IntegerField(help_text="For how many that is new.")


class NoticeView(EventWriteView):
    """A view of the notices of the account that asks."""

    def own_notices(self, club: str) -> tuple[User, QuerySet[Notice]]:
        """The account, and what it was told in a club, the latest first.

        Raises `Club.DoesNotExist`, and what `known_account` raises.
        """
        found = club_for(self.viewer(club), club)
        account = self.known_account(found)
        return account, notices_of_account(account).filter(club=found)


class Notices(NoticeView, SeenListView):
    """The notices of the account that asks."""

    @documented(
        "list_notices", "The own notices", NoticeShape(many=True), problems=[401, 403, 404], parameters=[Paged],
        example=EXAMPLE,
    )  # fmt: skip
    def get(self, request: Request, club: str) -> HttpResponseBase:
        """What the key's account was told of the club's events, the latest first."""
        _, found = self.own_notices(club)
        rows = LazyRows(found.count, lambda first, count: read_notices(list(found[first : first + count])))
        return self.paged(rows, notice_json)


class NoticesSeen(NoticeView):
    """Notices that were seen."""

    @change_documented(
        "see_notices", "Note that notices were seen", SeenNoticesBody, SeenShape,
        example={"notices": ["w4kq8zt2nb"]}, answered={"seen": 1},
    )  # fmt: skip
    def post(self, request: Request, club: str) -> Response:
        """Note that the own notices were seen: those that are named, or without a name all that the club has."""
        account, found = self.own_notices(club)
        sent = self.sent()
        said = SeenNoticesBody.of(sent.content)

        def see() -> dict[str, Any]:
            named = found.filter(public_id__in=said["notices"]) if "notices" in said else found.filter(seen_at=None)
            return {"seen": notices_see(user=account, notices=list(named.values_list("public_id", flat=True)))}

        return self.done(sent, see)
