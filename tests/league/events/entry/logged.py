"""How what changes an event's entries stands in the club's log, for
tests/league/test_logging.py."""

from collections.abc import Callable
from typing import Any, Final

from league.core.log.actions import Action
from league.core.player.actions import PlayerAction
from league.events.entry.actions import EntryAction
from league.events.entry.domain.entry_file import read_entries, read_names
from league.events.entry.models import FeeStatus
from league.events.entry.services.entering import EntryWish, entries_add
from league.events.entry.services.entry import (
    entries_check_in,
    entries_keep_apart,
    entries_no_show,
    entry_add,
    entry_admit,
    entry_change,
    entry_check_out,
    entry_return,
    entry_withdraw,
)
from league.events.entry.services.entry_list import attendance_note, entry_list_enter, guest_enter
from league.events.entry.services.label import labels_set
from league.events.entry.services.self_entry import (
    entry_by_mail_ask,
    entry_by_mail_confirm,
    newcomer_enter,
)
from league.events.event.actions import EventAction
from league.events.event.services import entries_move_up
from league.events.fee.services import fees_set
from league.events.wall_list.services import (
    claim_request_approve,
    claim_request_make,
    claim_request_refuse,
    wall_code_renew,
)
from league.models import ClaimRequest, Entry, EntryByMail, Event, Player, Season
from league.site.erasure.services.merge import person_merge
from league.stages.stage.actions import StageAction
from league.stages.stage.services.latecomer import entry_join_stage
from tests.factories import events
from tests.factories.league import UserFactory

ADDED, CHANGED, UP, IN = (
    EntryAction.ADDED,
    EntryAction.CHANGED,
    EntryAction.MOVED_UP,
    EntryAction.CHECKED_IN,
)
CREATED, LINKED, JOINED = PlayerAction.CREATED, PlayerAction.LINKED, StageAction.CHANGED


class Evening:
    """An event with two places: three have entered, so that the last one waits."""

    def __init__(self, season: Season, status: str = Event.Status.OPEN) -> None:
        self.event = events.event(season, capacity=2, status=status)
        self.players = events.players(season.club, 4, "guest")
        self.entries = events.enter(self.event, self.players[:3], check_in=False)

    def asked(self) -> ClaimRequest:
        """A phone that waits for a name."""
        entry = Entry.objects.select_related("event", "player").get(pk=self.entries[0].pk)
        return claim_request_make(entry=entry, user=None, key="of a phone")

    def confirmed(self) -> Entry:
        """The entry of somebody without an account."""
        entry_by_mail_ask(event=self.event, name="Nora", email="nora@example.org")
        return entry_by_mail_confirm(by_mail=EntryByMail.objects.get(), name="Nora")

    def checked_in(self) -> Entry:
        """An entry that was seen there."""
        entries_check_in(event=self.event, entries=self.entries[:1], actor=events.ACTOR)
        return self.entries[0]


def latecomer(season: Season) -> Entry:
    """Somebody whose check-in was undone before the stage began, and who is checked in again while
    it runs."""
    night = events.event(season, status=Event.Status.RUNNING)
    first, *_ = events.enter(night, events.players(season.club, 7, "guest"))
    entry_check_out(entry=first, actor=events.ACTOR)
    events.stage(night)
    Entry.objects.filter(pk=first.pk).update(checked_in_at=night.starts_at)
    return Entry.objects.get(pk=first.pk)


Change = Callable[[Evening], Any]
EVENING: Final[dict[str, tuple[Change, list[Action]]]] = {
    "events.entry.entry.entry_add": (
        lambda it: entry_add(event=it.event, player=it.players[3], actor=events.ACTOR),
        [ADDED],
    ),
    "events.entry.entering.entries_add": (
        lambda it: entries_add(
            event=it.event,
            wishes=[EntryWish(handle="nora")],
            actor=events.ACTOR,
            create_players=True,
        ),
        [CREATED, ADDED],
    ),
    "events.entry.entry_list.attendance_note": (
        lambda it: attendance_note(event=it.event, file=read_names("guest1"), actor=events.ACTOR),
        [IN],
    ),
    "events.entry.entry.entry_withdraw": (
        lambda it: entry_withdraw(entry=it.entries[0], actor=events.ACTOR),
        [CHANGED, UP],
    ),
    "events.entry.entry.entry_return": (
        lambda it: [
            change(entry=it.entries[2], actor=events.ACTOR)
            for change in (entry_withdraw, entry_return)
        ],
        [CHANGED, CHANGED],
    ),
    "events.entry.entry.entry_admit": (
        lambda it: entry_admit(entry=it.entries[2], actor=events.ACTOR),
        [UP],
    ),
    "events.event.entries_move_up": (
        lambda it: [
            Event.objects.filter(pk=it.event.pk).update(capacity=3),
            entries_move_up(event=it.event, actor=events.ACTOR),
        ],
        [UP],
    ),
    "events.entry.entry.entries_check_in": (lambda it: it.checked_in(), [IN]),
    "events.entry.entry.entry_check_out": (
        lambda it: entry_check_out(entry=it.checked_in(), actor=events.ACTOR),
        [IN, CHANGED],
    ),
    "events.entry.entry.entries_no_show": (
        lambda it: [
            Event.objects.filter(pk=it.event.pk).update(check_in_until=it.event.created_at),
            entries_no_show(event=it.event, actor=events.ACTOR),
        ],
        [CHANGED, CHANGED, UP],
    ),
    "events.entry.entry.entry_change": (
        lambda it: entry_change(entry=it.entries[0], guest=True, actor=events.ACTOR),
        [CHANGED],
    ),
    "events.entry.entry.entries_keep_apart": (
        lambda it: entries_keep_apart(
            first=it.entries[0], second=it.entries[1], must=True, actor=events.ACTOR
        ),
        [EntryAction.ENTRIES_KEPT_APART],
    ),
    "events.fee.fees_set": (
        lambda it: [
            Event.objects.filter(pk=it.event.pk).update(fee=500),
            fees_set(
                event=it.event, entries=it.entries[:2], fee=FeeStatus.PAID, actor=events.ACTOR
            ),
        ],
        [EntryAction.FEE_CHANGED, EntryAction.FEE_CHANGED],
    ),
    "events.entry.label.labels_set": (
        lambda it: labels_set(
            event=it.event, entries=it.entries[:2], label="Ulm", actor=events.ACTOR
        ),
        [EntryAction.LABELLED, EntryAction.LABELLED],
    ),
    "events.wall_list.wall_code_renew": (
        lambda it: wall_code_renew(event=it.event, actor=events.ACTOR),
        [EntryAction.WALL_RENEWED],
    ),
    "events.wall_list.claim_request_approve": (
        lambda it: claim_request_approve(claim_request=it.asked(), actor=events.ACTOR),
        [PlayerAction.CLAIMED],
    ),
    "events.wall_list.claim_request_refuse": (
        lambda it: claim_request_refuse(claim_request=it.asked(), actor=events.ACTOR),
        [EntryAction.CLAIM_REFUSED],
    ),
    "events.entry.entry_list.entry_list_enter": (
        lambda it: entry_list_enter(
            event=it.event, file=read_entries("name\nNora\nguest4\n"), actor=events.ACTOR
        ),
        [CREATED, ADDED, ADDED],
    ),
    "events.entry.entry_list.guest_enter": (
        lambda it: guest_enter(event=it.event, name="Nora", guest=True, actor=events.ACTOR),
        [CREATED, ADDED],
    ),
    "events.entry.self_entry.newcomer_enter": (
        lambda it: newcomer_enter(event=it.event, account=UserFactory.create(), name="Nora"),
        [CREATED, LINKED, ADDED],
    ),
    "events.entry.self_entry.entry_by_mail_confirm": (lambda it: it.confirmed(), [CREATED, ADDED]),
    "site.erasure.merge.person_merge": (
        lambda it: person_merge(
            kept_player=Player.objects.get(handle="anna"), merged=it.players[3], actor=events.ACTOR
        ),
        [PlayerAction.MERGED],
    ),
}
"""What changes the entries of an event, and what the log says of it beside the evening's own
beginning."""
BEGINNING: Final = [EventAction.CREATED, EventAction.CHANGED, *[CREATED] * 4, *[ADDED] * 3]
LATE: Final = [
    *[
        EventAction.CREATED,
        EventAction.CHANGED,
        EventAction.CHANGED,
        *[CREATED] * 7,
        *[ADDED] * 7,
        *[IN] * 7,
    ],
    *[CHANGED, StageAction.CREATED, StageAction.STARTED, JOINED],
]


def _on_an_evening(change: Change) -> Callable[[Any], object]:
    return lambda it: change(Evening(it.season))


LOGGED: Final[dict[str, tuple[Callable[[Any], object], list[Action]]]] = {
    **{
        name: (_on_an_evening(change), [*BEGINNING, *actions])
        for name, (change, actions) in EVENING.items()
    },
    "stages.stage.latecomer.entry_join_stage": (
        lambda it: entry_join_stage(entry=latecomer(it.season), actor=events.ACTOR),
        LATE,
    ),
}
PART: Final = (
    *(
        "core.player.player.newcomer_create",
        "events.entry.entry.entry_take",
        "events.entry.label.labels_note",
    ),
    *("events.entry.label.label_rewrite", "events.event.waiting_move_up"),
)
READS: Final = (
    "events.entry.entry.course_hold",
    "events.event.event_hold",
    "events.entry.entry.last_number",
    "events.entry.entry.refuse_closed",
    "events.entry.entry_list.entry_list_preview",
    "events.entry.entry_list.handles_of",
    "events.entry.label.label_checked",
    "events.entry.self_entry.mailbox",
    "site.erasure.merge.both_entered_check",
)
UNLOGGED: Final = {
    "events.wall_list.wall_code": (
        "makes the first code of an event: nobody has said anything by that"
    ),
    "events.wall_list.claim_request_make": (
        "makes nobody a player yet; that is logged once somebody lets the phone in"
    ),
    "events.wall_list.claim_request_drop": "takes back what only a phone has asked for",
    "events.wall_list.claim_requests_forget": (
        "forgets what phones asked for; who was let in stays logged"
    ),
    "events.entry.self_entry.entry_by_mail_ask": (
        "enters nobody yet; that is logged once the letter's link is followed"
    ),
    "events.entry.self_entry.entry_by_mail_link": (
        "one more link to the same; that is logged once it is followed"
    ),
    "events.entry.self_entry.entries_by_mail_forget": (
        "forgets addresses that nothing needs; entries stay logged"
    ),
}
