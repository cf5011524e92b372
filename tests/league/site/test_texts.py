"""Every column that holds text is searched for the name of a player who is erased, or is said here
to hold none."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest
from django.apps import apps
from django.contrib.postgres.fields import ArrayField
from django.db import models

from games.models.public_id import PublicIdField
from league.core.log.services import Actor
from league.events.entry.services.label import labels_set
from league.events.event.services import TEXTS, event_change
from league.floor.hall.services import place_change
from league.models import Entry, Event, HallPlace, Player, Season, Table
from league.site.erasure.domain import Remedy
from league.site.erasure.queries import WRITTEN_PLACES, player_mentions
from league.site.erasure.services.erasure import player_erase
from tests.factories import events, halls
from tests.factories.counted import counted_season
from tests.factories.league import ClubFactory, PlayerFactory
from tests.factories.records import bluff_record
from tests.league.site.audit.differences import club_differences
from tests.league.site.erasure.test_erasure import settle, traces

SEARCHED: Final = frozenset(
    f"{place.model._meta.label}.{field}" for place in WRITTEN_PLACES for field in place.fields
)
"""What people write freely, by the list that the search goes through."""
FORGOTTEN: Final = {
    "reasons, searched one by one": [
        *("games.Game.reason", "games.Void.reason", "league.Draw.reason", "league.Walkover.reason"),
        *("league.Objection.word", "league.ObjectionEnd.reason", "league.Statement.word"),
        *(
            "league.Hearing.word",
            "league.Ruling.findings",
            "league.Ruling.reason",
            "league.Appeal.word",
        ),
    ],
    "messages and files, emptied": [
        *("league.EventMessage.subject", "league.EventMessage.text"),
        *(
            "league.ImportJob.file_name",
            "league.ImportJob.content",
            "league.ImportJob.report",
            "league.Photo.content",
        ),
        "league.Evidence.content",
    ],
    "words of the log": [
        "league.LogEntry.names",
        "league.LogEntry.payload",
        "league.LogEntry.reason",
    ],
    "what records tell, sealed": [
        *(
            "games.Game.external_id",
            "games.Game.event",
            "games.Game.table",
            "league.Proposal.content",
        ),
    ],
    "names and handles of the player, which get the pseudonym": [
        *("league.Player.name", "league.Player.handle", "league.Handle.handle"),
        *("games.Seat.handle", "games.OpenSeat.handle", "league.OnlineSeat.name"),
    ],
    "entries by mail, deleted": [
        "league.EntryByMail.name",
        "league.EntryByMail.email",
        "league.EntryByMail.mailbox",
    ],
    "lines of chats with the name, deleted": ["league.ChatLine.text"],
    "drafts of decisions with the name, deleted": ["league.AppealDraft.body"],
    "notices with the name, deleted": ["league.Notice.parameters"],
    "answers and differences with the name, deleted": [
        *(
            "league.IdempotencyKey.answer",
            "league.Audit.differences",
            "league.Audit.error",
            "league.SetAside.error",
        ),
        *("admin.LogEntry.object_repr", "admin.LogEntry.change_message"),
    ],
    "follows from the room, which is searched": ["league.Table.place"],
}
"""What loses the name with the player, by what becomes of it."""
NAMELESS: Final = {
    "an account is somebody's own, and stays": [
        *(
            "league.User.username",
            "league.User.first_name",
            "league.User.last_name",
            "league.User.email",
        ),
        *("account.EmailAddress.email", "sessions.Session.session_data"),
    ],
    "an address somebody is invited by, deleted once it is taken or too old": [
        *("league.Invitation.email", "league.HelperInvitation.email"),
    ],
    "a letter goes to an account or an address, and is deleted after two weeks": [
        *(
            "league.Letter.to",
            "league.Letter.subject",
            "league.Letter.body",
            "league.Letter.unsubscribe",
        ),
    ],
    "a name that was tried with a wrong password, deleted after a day": [
        *(
            "axes.AccessAttempt.username",
            "axes.AccessAttempt.get_data",
            "axes.AccessAttempt.post_data",
        ),
        *(
            "axes.AccessAttempt.path_info",
            "axes.AccessAttempt.user_agent",
            "axes.AccessAttempt.http_accept",
        ),
    ],
    "never written": [
        *(
            f"axes.AccessLog.{name}"
            for name in ("username", "path_info", "user_agent", "http_accept")
        ),
        *(
            f"axes.AccessFailureLog.{name}"
            for name in ("username", "path_info", "user_agent", "http_accept")
        ),
        "axes.AccessLog.session_hash",
        "auth.Group.name",
    ],
    "sessions and second factors of an account, which are its own": [
        *("usersessions.UserSession.user_agent", "usersessions.UserSession.session_key"),
        *("usersessions.UserSession.data", "mfa.Authenticator.data"),
    ],
    "a secret, a digest or a salt": [
        *(
            "league.User.password",
            "league.Invitation.digest",
            "league.ApiKey.digest",
            "league.HelperInvitation.digest",
        ),
        *(
            "league.HelperInvitation.code",
            "league.ClaimCode.code",
            "league.Claim.key",
            "league.ClaimRequest.key",
            "league.ClaimRequest.sign",
            "league.WallCode.code",
            "league.EntryByMail.digests",
        ),
        *(
            "league.Season.link_token",
            "league.CalendarAddress.secret",
            "league.Stage.secret",
            "league.Stage.seed",
        ),
        *(
            "league.Stage.seeding_seed",
            "league.IdempotencyKey.key",
            "league.IdempotencyKey.request_digest",
        ),
        *(
            "league.PushSubscription.endpoint",
            "league.PushSubscription.p256dh",
            "league.PushSubscription.auth",
        ),
        *(
            "league.LogHead.digest",
            "league.LogEntry.digest",
            "league.Photo.digest",
            "league.SheetSubmission.link",
        ),
        "league.Evidence.digest",
        *(
            "games.Game.reason_salt",
            "games.Game.digest",
            "games.Seat.seal",
            "games.OpenGame.digest",
        ),
        *(
            "games.OpenSeat.seal",
            "games.OpenSheet.link",
            "games.SheetEntry.link",
            "games.SealedSheet.link",
        ),
        *("games.Round.digest", "games.Device.key_digest", "account.EmailConfirmation.key"),
        *("sessions.Session.session_key", "games.Game.proof", "games.DealerSecret.commitment"),
        *(
            "games.DealerSecret.secret",
            "league.OnlineTable.commitment",
            "league.OnlineSeat.key_digest",
        ),
        "league.ArbiterInvitation.digest",
        "league.OnlineSeat.seed",
    ],
    "an id or a word of ours": [
        *(
            "league.Club.timezone",
            "league.LogEntry.action",
            "league.LogEntry.subject",
            "league.LogEntry.request_id",
        ),
        *(
            "league.Reader.name",
            "league.SetAside.reader",
            "league.Notice.subject",
            "league.NoticeSending.error",
        ),
        *(
            "league.Letter.error",
            "league.Objection.role",
            "league.ObjectionEnd.role",
            "league.Agreement.role",
        ),
        *(
            "league.ArbiterInvitation.role",
            "league.ArbiterAssent.role",
            "league.ArbiterInvitationEnd.role",
        ),
        *(
            "league.Statement.role",
            "league.Hearing.role",
            "league.Ruling.role",
            "league.Appeal.role",
        ),
        *("league.Penalty.role", "league.SetOrder.role", "league.Ruling.rule"),
        *(
            "league.Part.host",
            "league.Part.host_id",
            "league.Part.name",
            "league.NoticePreference.mail",
            "league.NoticePreference.push",
        ),
        *(
            "league.Series.rule",
            "league.Series.starts_at",
            "league.Standing.public_id",
            "league.Table.label",
        ),
        *(
            "league.Stage.kept",
            "league.StageRound.kept",
            "league.Ranking.tie_breaks",
            "league.Stage.tie_breaks",
        ),
        *(
            "games.Game.source",
            "games.OpenGame.source",
            "games.OpenGame.external_id",
            "games.Void.role",
        ),
        *(
            "games.SheetEntry.act",
            "games.SheetEntry.automatic",
            "games.HiddenAct.act",
            "admin.LogEntry.object_id",
        ),
        *(
            "league.OnlineSeat.automatic",
            "league.OnlineTable.uncounted",
            "league.PlayingTime.timezone",
        ),
        *("auth.Permission.name", "auth.Permission.codename"),
        *("contenttypes.ContentType.app_label", "contenttypes.ContentType.model"),
        *("league.Ranking.last_id", "league.Ranking.rated_from_id"),
    ],
    "bids, dice and settings; seats by commitments or by number": [
        *(
            "games.Game.header",
            "games.OpenGame.header",
            "games.OpenSheet.state",
            "games.SheetEntry.value",
        ),
        *(
            "games.SheetBranch.entries",
            "games.Round.body",
            "league.Season.rules",
            "league.GameStyle.seats",
        ),
        *("games.HiddenAct.value", "league.OnlineTable.rules", "league.StandingOrder.bid"),
    ],
    "rows of rankings by their players' ids": ["league.Ruling.changed"],
    "entries, places and slots by their ids": [
        *("league.Draw.input", "league.Draw.answer", "league.StageRound.failure"),
        *(
            "league.Timetable.input",
            "league.Timetable.failure",
            "league.Timetable.cost",
            "league.Audit.progress",
        ),
    ],
    "a copy of what the record tells, in the same order": [
        "league.RankedGame.natural_id",
        "league.RankedGame.event",
    ],
}
"""What holds no name that a player has in a club, by why."""
TEXT: Final = (
    models.CharField,
    models.TextField,
    models.JSONField,
    models.BinaryField,
    models.FileField,
)


def text_columns() -> Iterator[str]:
    """The columns of all models in which a name could stand: not those of our own choices and
    ids."""
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.local_concrete_fields:
            inner = field.base_field if isinstance(field, ArrayField) else field
            if (
                isinstance(inner, TEXT)
                and not isinstance(field, PublicIdField)
                and not field.choices
            ):
                yield f"{model._meta.label}.{field.name}"


def columns_of(lists: dict[str, list[str]]) -> set[str]:
    return {column for columns in lists.values() for column in columns}


def test_every_text_is_searched_or_said_to_hold_no_name() -> None:
    columns = set(text_columns())
    placed = SEARCHED | columns_of(FORGOTTEN) | columns_of(NAMELESS)
    assert columns - placed == set(), (
        "search them in league/site/erasure/queries.py, or say here why they tell nobody"
    )
    assert placed - columns == set(), "these are no texts any more"


def test_no_text_is_in_two_lists() -> None:
    assert not columns_of(FORGOTTEN) & columns_of(NAMELESS)
    assert not SEARCHED & (columns_of(FORGOTTEN) | columns_of(NAMELESS))


@pytest.fixture
def season(db: None) -> Season:
    return counted_season(
        [bluff_record(1, seats=("zacharias", "ben"))], club=ClubFactory.create(slug="stern")
    )


@pytest.fixture
def zacharias(season: Season) -> Player:
    return Player.objects.get(handle="zacharias")


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_freely_written_of_an_event_is_searched(
    season: Season, zacharias: Player, name: str
) -> None:
    event = events.event(season)
    assert player_mentions(zacharias) == []
    text = "https://at-zacharias.example.org/" if name == "call_url" else "at-zacharias"
    event_change(event=event, actor=Actor(), **{name: text})
    (mention,) = [
        mention for mention in player_mentions(zacharias) if mention.remedy != Remedy.REMOVED
    ]
    assert mention.subject == event.public_id
    assert "zacharias" in mention.excerpt


def past_evening(season: Season) -> Event:
    """An event that is over, with a label and a room that name somebody who was never there."""
    event = events.event(season, status=Event.Status.RUNNING)
    halls.hall(event, places=1, slots=2)
    events.crowd(event, 4)
    place = HallPlace.objects.get(event=event)
    place_change(place=place, room="Zacharias’s cellar", size=place.size, closed=[], actor=Actor())
    labels_set(
        event=event,
        entries=list(Entry.objects.filter(event=event)[:2]),
        label="Zacharias FC",
        actor=Actor(),
    )
    Event.objects.filter(pk=event.pk).update(status=Event.Status.FINISHED)
    return event


def test_labels_and_rooms_get_the_pseudonym_though_the_event_is_over(
    season: Season, zacharias: Player
) -> None:
    event = past_evening(season)
    listed = {mention.noun: mention.remedy for mention in player_mentions(zacharias)}
    assert listed == {"entry": Remedy.REWRITTEN, "place": Remedy.REWRITTEN}
    Event.objects.filter(pk=event.pk).update(status=Event.Status.RUNNING)
    round_drawn = events.drawn(events.stage(event, sizes=[4]))
    Table.objects.filter(stage_round=round_drawn).update(
        place=str(HallPlace.objects.get(event=event))
    )
    Event.objects.filter(pk=event.pk).update(status=Event.Status.FINISHED)
    player_erase(player=zacharias, actor=Actor())
    assert traces("zacharias") == set()
    room = f"{zacharias.pseudonym}’s cellar"
    assert HallPlace.objects.get(event=event).room == room[:30]
    assert room[:20] in Table.objects.get(stage_round=round_drawn).place
    assert set(Entry.objects.filter(event=event).values_list("label", flat=True)) == {
        f"{zacharias.pseudonym} FC",
        "",
    }


def test_the_log_tells_that_labels_and_rooms_were_rewritten(
    season: Season, zacharias: Player
) -> None:
    past_evening(season)
    Event.objects.update(status=Event.Status.RUNNING)
    player_erase(player=zacharias, actor=Actor())
    settle()
    assert [str(difference) for difference in club_differences(season.club_id)] == []


def test_a_label_of_another_of_that_name_is_spared(season: Season, zacharias: Player) -> None:
    PlayerFactory.create(club=season.club)
    event = past_evening(season)
    spared = [mention.key for mention in player_mentions(zacharias) if mention.noun == "entry"]
    player_erase(player=zacharias, actor=Actor(), spared=spared)
    assert "Zacharias FC" in Entry.objects.filter(event=event).values_list("label", flat=True)
