"""Entries: who takes part in an event, who waits for a place, who is there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Final

from django.core.exceptions import ValidationError
from django.db.models import Case, Max, When
from django.utils import timezone
from django.utils.translation import gettext

from league.core.hooks import Hook
from league.core.locks import Space, transaction_lock_patient, transaction_lock_shared
from league.core.log.services import Actor, Journal, club_journal
from league.core.player.models import Player
from league.core.player.queries.player import one_person
from league.events.entry.actions import EntryAction
from league.events.entry.domain.entry import check_in_ends_at
from league.events.entry.models import ENTRY, PAIR_APART, Apart, Entry, FeeStatus
from league.events.entry.queries.entry import ACTIVE
from league.events.event.models import Event
from league.events.event.services import event_hold, refuse_over, refuse_unreasoned, waiting_move_up
from league.events.helper.queries import event_acting_role

ENTERED, WAITING = Entry.Status.ENTERED, Entry.Status.WAITING
UNSETTLED: Final = Case(When(fee=FeeStatus.OPEN, then=1), default=0)
"""Puts entries whose fee was paid, or needn't be, before others."""

entries_checked_in: Final = Hook[[Journal, Event], object]()
"""Entries were seen at an event, on whose course the caller works alone."""
entry_counts_changed: Final = Hook[[Entry], object]()
"""The results of an entry count for somebody else than before, or for nobody."""


def entry_add(
    *, event: Event, player: Player, actor: Actor, guest: bool = False, by_organiser: bool = False
) -> Entry:
    """Enter a player of the club: with a place while there is one, else at the end of the waiting
    list.

    Who withdrew comes back, behind all others. Organisers may enter somebody late. Raises
    `ValidationError`: entries are closed, the event is over, the player has an entry already or
    belongs to another club."""
    with club_journal(event.club_id, actor) as journal:
        return entry_take(journal, event, player, guest=guest, by_organiser=by_organiser)


def entry_take(
    journal: Journal, event: Event, player: Player, *, guest: bool, by_organiser: bool
) -> Entry:
    """Enter a player as `entry_add` does, as part of a larger action."""
    event_row = event_hold(event)
    refuse_closed(event_row, by_organiser=by_organiser)
    transaction_lock_shared(Space.PLAYERS, event_row.club_id)  # nobody is merged meanwhile
    player = Player.objects.get(pk=player.pk)
    if player.club_id != event_row.club_id or player.merged_into_id or player.erased_at:
        raise ValidationError({"player": gettext("Nobody in the club is called that.")})
    before = Entry.objects.filter(event=event.pk, player__in=one_person(player))
    earlier = (
        before.filter(status__in=(ENTERED, WAITING)).first()
        or before.order_by(UNSETTLED, "number").first()
    )
    if earlier and earlier.status in (ENTERED, WAITING):
        raise ValidationError({"player": gettext("There is an entry for this player already.")})
    _refuse_second(event_row, player, earlier)
    status = ENTERED if _has_place(event_row) else WAITING
    number = 1 + last_number(event_row)
    if earlier:
        Entry.objects.filter(pk=earlier.pk).update(
            status=status, number=number, guest=guest, checked_in_at=None
        )
        entry = Entry.objects.select_related("player").get(pk=earlier.pk)
        if guest != earlier.guest:
            entry_counts_changed(entry)
    else:
        entry = Entry.objects.create(
            event=event_row, player=player, number=number, status=status, guest=guest
        )
    payload = {
        "event": event_row.public_id,
        "player": entry.player.public_id,
        "status": status,
        "guest": guest,
        "number": number,
    }
    journal.add(EntryAction.ADDED, entry.public_id, payload)
    journal.state(ENTRY, [entry])
    return entry


def entry_withdraw(
    *, entry: Entry, actor: Actor, no_show: bool = False, by_owner: bool = False
) -> bool:
    """Give a place up, or note that somebody didn't come (`no_show`); False: that is so already.

    `by_owner`: by whom the entry belongs to, who can't make a withdrawal of not having come. Before
    the event is running the first of the waiting list gets the place. Raises `ValidationError` once
    it is over."""
    status = Entry.Status.NO_SHOW if no_show else Entry.Status.WITHDRAWN
    with _entry_change(entry, actor) as (journal, event, row):
        if row.status == status or (by_owner and row.status not in (ENTERED, WAITING)):
            return False
        refuse_over(event)
        _change(journal, row, status=status)
        waiting_move_up(journal, event)
    return True


def entry_return(*, entry: Entry, actor: Actor) -> bool:
    """Undo a withdrawal or a no-show: the place if one is free, else the waiting list; False:
    nothing to undo.

    Raises `ValidationError` once the event is over, for who was erased, or has another entry by a
    merge."""
    with club_journal(entry.event.club_id, actor) as journal:
        event = event_hold(entry.event)
        transaction_lock_shared(Space.PLAYERS, event.club_id)  # nobody is merged meanwhile
        row = Entry.objects.select_related("player").get(pk=entry.pk)
        if row.status in (ENTERED, WAITING):
            return False
        refuse_over(event)
        if row.player.erased_at:
            raise ValidationError(gettext("This player was erased."))
        if Entry.objects.filter(
            event=event, player__in=one_person(row.player), status__in=ACTIVE
        ).exists():
            raise ValidationError(gettext("There is an entry for this player already."))
        _refuse_second(event, row.player, row)
        _change(journal, row, status=ENTERED if _has_place(event) else WAITING)
    entry.refresh_from_db()
    return True


def entry_admit(*, entry: Entry, actor: Actor) -> bool:
    """Give somebody who waits a place, whoever else waits and even if all places are taken; False:
    nobody waits here.

    Raises `ValidationError` once the event is over.
    """
    with _entry_change(entry, actor) as (journal, event, row):
        if row.status != WAITING:
            return False
        refuse_over(event)
        Entry.objects.filter(pk=row.pk).update(status=ENTERED)
        journal.add(EntryAction.MOVED_UP, row.public_id, {"event": event.public_id})
        journal.state(ENTRY, [row], ["status"])
    return True


def entries_check_in(
    *, event: Event, entries: Sequence[Entry], actor: Actor, at: datetime | None = None
) -> int:
    """Note that these entries of the event were seen there; returns for how many that is new.

    At a running event they join the stage that is played, if that can still take them in and has a
    table for them (`stage_join`). Raises `ValidationError` for one that has no place or if the
    event is over, and `Busy` while a round is being drawn."""
    with club_journal(event.club_id, actor) as journal:
        stored_event = course_hold(event)
        refuse_over(stored_event)
        rows = list(
            Entry.objects.filter(event=event.pk, pk__in=[entry.pk for entry in entries]).order_by(
                "number"
            )
        )
        if any(entry.status != ENTERED for entry in rows):
            raise ValidationError(gettext("Only who has a place can check in."))
        newcomers = [entry for entry in rows if entry.checked_in_at is None]
        seen_at = at or journal.at
        Entry.objects.filter(pk__in=[entry.pk for entry in newcomers]).update(checked_in_at=seen_at)
        payload = {"event": event.public_id, "at": seen_at.isoformat()}
        for entry in newcomers:
            journal.add(EntryAction.CHECKED_IN, entry.public_id, payload)
            journal.state(ENTRY, [entry], ["checked_in_at"])
        entries_checked_in(journal, stored_event)
    return len(newcomers)


def entry_check_out(*, entry: Entry, actor: Actor) -> bool:
    """Undo a check-in; False: there is none. Who is in a stage stays there, and no draw seats
    them."""
    with _entry_change(entry, actor) as (journal, _, row):
        if row.checked_in_at is None:
            return False
        _change(journal, row, checked_in_at=None)
    return True


def entries_no_show(*, event: Event, actor: Actor) -> int:
    """Note that all who have a place and weren't seen didn't come; returns how many.

    Before the event is running those who wait get the places. Raises `ValidationError` while
    check-in is open, or once the event is over."""
    with club_journal(event.club_id, actor) as journal:
        event_row = event_hold(event)
        refuse_over(event_row)
        if (
            event_row.status != Event.Status.RUNNING
            and check_in_ends_at(event_row) > timezone.now()
        ):
            raise ValidationError(gettext("They can still come: check-in isn’t over yet."))
        missing = list(
            Entry.objects.filter(event=event.pk, status=ENTERED, checked_in_at=None).order_by(
                "number"
            )
        )
        for entry in missing:
            _change(journal, entry, status=Entry.Status.NO_SHOW)
        waiting_move_up(journal, event_row)
    return len(missing)


def entry_change(
    *,
    entry: Entry,
    actor: Actor,
    guest: bool | None = None,
    substitutes: Player | bool | None = False,
) -> bool:
    """Say whether somebody plays as a guest, or for whom (`substitutes`; None: for nobody else);
    False: no change. The season is counted anew with the games that the entry has played.

    Raises `ValidationError` for a substitute of themselves, of nobody in the club, or of somebody
    for whom an entry plays already, their own or another's; and without a reason after the end of
    the event."""
    if isinstance(substitutes, Player):
        substitutes = substitutes.merged_into or substitutes
        if substitutes.club_id != entry.event.club_id or substitutes.erased_at:
            raise ValidationError({"substitutes": gettext("Nobody in the club is called that.")})
        if substitutes.pk == (entry.player.merged_into_id or entry.player_id):
            raise ValidationError(
                {"substitutes": gettext("Nobody stands in for themselves: leave it empty.")}
            )
    changes: dict[str, object] = {}
    if guest is not None and guest != entry.guest:
        changes["guest"] = guest
    if not isinstance(substitutes, bool) and substitutes != entry.substitutes:
        changes["substitutes"] = substitutes
    if not changes:
        return False
    with _entry_change(entry, actor) as (journal, event, row):
        transaction_lock_shared(Space.PLAYERS, event.club_id)  # nobody is merged meanwhile
        if isinstance(substitutes, Player) and row.status in ACTIVE:
            _refuse_absent(event, substitutes, row)
        refuse_unreasoned(event, actor)
        _change(journal, row, role=event_acting_role(event, actor.account_id), **changes)
        entry_counts_changed(row)
    return True


def entries_keep_apart(*, first: Entry, second: Entry, must: bool | None, actor: Actor) -> None:
    """Have two entries not sit at one table: a wish, or a rule (`must`); None: they may again.

    Raises `ValidationError` for an entry and itself, or for entries of two events.
    """
    if first.pk == second.pk or first.event_id != second.event_id:
        raise ValidationError(gettext("Choose two entries of this event."))
    first, second = sorted((first, second), key=lambda entry: entry.pk)
    with club_journal(first.event.club_id, actor) as journal:
        event_hold(first.event)
        journal.add(
            EntryAction.ENTRIES_KEPT_APART,
            first.public_id,
            {"other": second.public_id, "must": must},
        )
        earlier_pairs = Apart.objects.filter(event=first.event_id, first=first, second=second)
        journal.state_gone(PAIR_APART, earlier_pairs.values_list("pk", flat=True))
        earlier_pairs.delete()
        if must is not None:
            pair = Apart.objects.create(
                event_id=first.event_id, first=first, second=second, must=must
            )
            journal.state(PAIR_APART, [pair])


@contextmanager
def _entry_change(entry: Entry, actor: Actor) -> Iterator[tuple[Journal, Event, Entry]]:
    """A transaction in which nobody else changes the entries of an event, with its journal, the
    event and the entry's row; behind it the entry is as it is stored then."""
    with club_journal(entry.event.club_id, actor) as journal:
        yield journal, event_hold(entry.event), Entry.objects.get(pk=entry.pk)
    entry.refresh_from_db()


def course_hold(event: Event) -> Event:
    """The same for a change that draws of a running event rest on. Raises `Busy` while one is being
    made."""
    if Event.objects.get(pk=event.pk).status == Event.Status.RUNNING:
        transaction_lock_patient(Space.EVENT, event.pk)
    return event_hold(event)


def last_number(event: Event) -> int:
    """The number of the last entry of an event; 0 where there is none."""
    return Entry.objects.filter(event=event.pk).aggregate(last=Max("number"))["last"] or 0


def _has_place(event: Event) -> bool:
    """True if a place is free, and nobody waits for it."""
    if event.capacity is None:
        return True
    entries = Entry.objects.filter(event=event.pk)
    return (
        not entries.filter(status=WAITING).exists()
        and entries.filter(status=ENTERED).count() < event.capacity
    )


def _change(journal: Journal, entry: Entry, *, role: str = "", **changes: object) -> None:
    """Store what is different of an entry; the log has the role in which somebody acts where that
    is public."""
    before = {name: _plain(getattr(entry, name)) for name in changes}
    Entry.objects.filter(pk=entry.pk).update(**changes)
    after = {name: _plain(value) for name, value in changes.items()}
    journal.add(
        EntryAction.CHANGED,
        entry.public_id,
        {"before": before, "after": after, **({"role": role} if role else {})},
    )
    journal.state(ENTRY, [entry], changes)


def _plain(value: object) -> object:
    """A value as the log has it: people by their public id."""
    if isinstance(value, Player):
        return value.public_id
    return value.isoformat() if isinstance(value, datetime) else value


def _refuse_second(event: Event, player: Player, earlier: Entry | None) -> None:
    """Refuse an entry of a player for whom another one plays already; and one that was there
    `earlier`, and comes back as a substitute, for somebody for whom there is one by now. Raises
    `ValidationError`."""
    active = Entry.objects.filter(event=event.pk, status__in=ACTIVE)
    substitute = active.filter(substitutes__in=one_person(player)).select_related("player").first()
    if substitute:
        raise ValidationError(
            {
                "player": gettext(
                    "%(handle)s plays for this player. End that first, at the entry of %(handle)s."
                )
                % {"handle": substitute.player.handle}
            }
        )
    if earlier and earlier.substitutes:
        _refuse_absent(event, earlier.substitutes, earlier)


def _refuse_absent(event: Event, absent: Player, entry: Entry) -> None:
    """Refuse that an entry plays for somebody for whom another one does, their own or another's.
    Raises `ValidationError`."""
    active = Entry.objects.filter(event=event.pk, status__in=ACTIVE).exclude(pk=entry.pk)
    people = one_person(absent)
    if active.filter(player__in=people).exists():
        raise ValidationError(
            {
                "substitutes": gettext(
                    "%(handle)s has a place of their own. Withdraw that entry first."
                )
                % {"handle": absent.handle}
            }
        )
    if other := active.filter(substitutes__in=people).select_related("player").first():
        raise ValidationError(
            {
                "substitutes": gettext("%(other)s plays for %(handle)s already.")
                % {"other": other.player.handle, "handle": absent.handle}
            }
        )


def refuse_closed(event: Event, *, by_organiser: bool = False) -> None:
    """Raise `ValidationError` if nobody can enter (any more); organisers can until the event is
    over."""
    refuse_over(event)
    if by_organiser:
        return
    if event.status == Event.Status.DRAFT or not event.self_entry:
        raise ValidationError(gettext("Entries aren’t open. Ask the organisers of the club."))
    if event.status == Event.Status.RUNNING or (
        event.entries_until and event.entries_until < timezone.now()
    ):
        raise ValidationError(gettext("Entries are closed. Ask the organisers of the club."))
