"""The bases of views of events: who looks, and who changes something."""

from __future__ import annotations

from league.clubs.models import Club, User
from league.events.models import Event
from league.events.queries.access import event_for, event_for_organiser
from league.log.services import Actor
from league.seasons.api.view import SeenView
from league.seasons.api.writing import WriteView


class EventView(SeenView):
    """A view of something that hangs on an event."""

    def event(self, club: str, event: str) -> Event:
        """The event, if the viewer may see it. Raises `Event.DoesNotExist`."""
        return event_for(self.viewer(club), club, event)

    def run_event(self, club: str, event: str) -> Event:
        """The event, if the viewer runs it. Raises `Event.DoesNotExist`."""
        return event_for_organiser(self.viewer(club), club, event)

    def runs(self, club: Club) -> bool:
        """Tell whether the viewer runs the club's events."""
        return self.viewer(club.slug).user.has_perm("league.manage_club", club)

    def scores(self, club: Club) -> bool:
        """Tell whether the viewer enters the club's results."""
        return self.viewer(club.slug).user.has_perm("league.enter_games", club)


class EventWriteView(EventView, WriteView):
    """A view that changes something of an event."""

    def organiser(self, club: Club) -> User:
        """The account of an organiser. Raises `NotAuthenticated` or `PermissionDenied`."""
        return self.account(club, "league.manage_club", "Organisers of the club may do this.")

    def scorer(self, club: Club) -> User:
        """The account of somebody who enters results. Raises `NotAuthenticated` or `PermissionDenied`."""
        return self.account(club, "league.enter_games", "Scorers and organisers of the club may do this.")


def actor(account: User, reason: str = "") -> Actor:
    """The account as the one who acts."""
    return Actor(account.pk, reason)
