"""Entries: taking part in an event, waiting for a place, and checking in."""

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

ENTERED = Entry.Status.ENTERED
WAITING = Entry.Status.WAITING
UNSETTLED: Final = Case(When(fee=FeeStatus.OPEN, then=1), default=0)
"""Sorts entries whose fee is paid or waived before the others."""

entries_checked_in: Final = Hook[[Journal, Event], object]()
"""Called after entries were checked in at an event, whose course the caller has locked."""
entry_counts_changed: Final = Hook[[Entry], object]()
"""Called when the results of an entry count for another player than before, or for nobody."""


def entry_add(
    *, event: Event, player: Player, actor: Actor, guest: bool = False, by_organiser: bool = False
) -> Entry:
    """Enter a player of the club: with a place if one is free, or else at the end of the waiting
    list.

    A player who withdrew comes back, behind all others. Organisers may enter players late. Raise
    `ValidationError` if entries are closed, if the event is over, or if the player already has an
    entry or belongs to another club.
    """
    with club_journal(event.club_id, actor) as journal:
        return entry_take(journal, event, player, guest=guest, by_organiser=by_organiser)


def entry_take(
    journal: Journal, event: Event, player: Player, *, guest: bool, by_organiser: bool
) -> Entry:
    """Enter a player, as part of a larger action; raise `ValidationError` as `entry_add` does."""
    event_row = event_hold(event)
    refuse_closed(event_row, by_organiser=by_organiser)
    transaction_lock_shared(Space.PLAYERS, event_row.club_id)  # nobody is merged meanwhile
    player = Player.objects.get(pk=player.pk)
    if player.club_id != event_row.club_id or player.merged_into_id or player.erased_at:
        raise ValidationError({"player": gettext("No player in the club has that name.")})
    earlier = _earlier_entry(event_row, player)
    if earlier and earlier.status in ACTIVE:
        raise ValidationError({"player": gettext("This player has already entered.")})
    _refuse_doubled_person(event_row, player, earlier)

    status = ENTERED if _has_place_for_next(event_row) else WAITING
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


def _earlier_entry(event: Event, player: Player) -> Entry | None:
    """Return the person's active entry, or else the one to come back with: one with a settled fee
    first."""
    entries = Entry.objects.filter(event=event.pk, player__in=one_person(player))
    active = entries.filter(status__in=(ENTERED, WAITING)).first()
    return active or entries.order_by(UNSETTLED, "number").first()


def entry_withdraw(
    *, entry: Entry, actor: Actor, no_show: bool = False, by_owner: bool = False
) -> bool:
    """Withdraw an entry, or mark it as a no-show. Return False if nothing changed.

    `by_owner`: the owner withdraws it, who can't turn a no-show into a withdrawal. Before the event
    is running the first entry on the waiting list gets the place. Raise `ValidationError` once the
    event is over.
    """
    status = Entry.Status.NO_SHOW if no_show else Entry.Status.WITHDRAWN
    with _entry_change(entry, actor) as (journal, event, row):
        if row.status == status or (by_owner and row.status not in (ENTERED, WAITING)):
            return False
        refuse_over(event)
        _change_and_log(journal, row, status=status)
        waiting_move_up(journal, event)
    return True


def entry_return(*, entry: Entry, actor: Actor) -> bool:
    """Undo a withdrawal or a no-show: with a place if one is free, or else on the waiting list.
    Return False if nothing changed.

    Raise `ValidationError` once the event is over, if the player was erased, or if the person has
    another entry after a merge.
    """
    with club_journal(entry.event.club_id, actor) as journal:
        event = event_hold(entry.event)
        transaction_lock_shared(Space.PLAYERS, event.club_id)  # nobody is merged meanwhile
        row = Entry.objects.select_related("player").get(pk=entry.pk)
        if row.status in (ENTERED, WAITING):
            return False
        refuse_over(event)
        if row.player.erased_at:
            raise ValidationError(gettext("This player was erased."))
        active = Entry.objects.filter(event=event, status__in=ACTIVE)
        if active.filter(player__in=one_person(row.player)).exists():
            raise ValidationError(gettext("This player has already entered."))
        _refuse_doubled_person(event, row.player, row)
        _change_and_log(journal, row, status=ENTERED if _has_place_for_next(event) else WAITING)
    entry.refresh_from_db()
    return True


def entry_admit(*, entry: Entry, actor: Actor) -> bool:
    """Give a waiting entry a place, ahead of others and even if all places are taken. Return False
    if it doesn't wait.

    Raise `ValidationError` once the event is over.
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
    """Check in entries of the event; return how many weren't checked in before.

    At a running event they join the current stage, if it can still take them in and has a table for
    them (`stage_join`). Raise `ValidationError` if an entry has no place or the event is over, and
    `Busy` while a round is being drawn.
    """
    with club_journal(event.club_id, actor) as journal:
        stored_event = course_hold(event)
        refuse_over(stored_event)
        entry_ids = [entry.pk for entry in entries]
        rows = Entry.objects.filter(event=event.pk, pk__in=entry_ids).order_by("number")
        if any(entry.status != ENTERED for entry in rows):
            raise ValidationError(gettext("Only players with a place can check in."))

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
    """Undo a check-in; return False if nothing changed. The entry stays in its stage, but no draw
    seats it.
    """
    with _entry_change(entry, actor) as (journal, _, row):
        if row.checked_in_at is None:
            return False
        _change_and_log(journal, row, checked_in_at=None)
    return True


def entries_no_show(*, event: Event, actor: Actor) -> int:
    """Mark all entries that have a place but aren't checked in as no-shows; return how many.

    Before the event is running, waiting entries get the places. Raise `ValidationError` while
    check-in is open, or once the event is over.
    """
    with club_journal(event.club_id, actor) as journal:
        event_row = event_hold(event)
        refuse_over(event_row)
        is_running = event_row.status == Event.Status.RUNNING
        if not is_running and check_in_ends_at(event_row) > timezone.now():
            raise ValidationError(gettext("They can still come: check-in isn’t over yet."))

        absent = Entry.objects.filter(event=event.pk, status=ENTERED, checked_in_at=None)
        missing = list(absent.order_by("number"))
        for entry in missing:
            _change_and_log(journal, entry, status=Entry.Status.NO_SHOW)
        waiting_move_up(journal, event_row)
    return len(missing)


def entry_change(
    *,
    entry: Entry,
    actor: Actor,
    guest: bool | None = None,
    substitutes: Player | bool | None = False,
) -> bool:
    """Change whether an entry is a guest, or for whom its results count. Return False if nothing
    changed. The season is counted again with the games that the entry has played.

    `guest`: None leaves it as it is. `substitutes`: False leaves it as it is, None is the entry's
    own player. Raise `ValidationError` if the substituted player is the entry's own, isn't in the
    club, or takes part already, in person or through another substitute; and if there is no reason
    after the end of the event.
    """
    if isinstance(substitutes, Player):
        substitutes = substitutes.merged_into or substitutes
        _refuse_substituted(entry, substitutes)
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
            _refuse_if_taking_part(event, substitutes, row)
        refuse_unreasoned(event, actor)
        _change_and_log(journal, row, role=event_acting_role(event, actor.account_id), **changes)
        entry_counts_changed(row)
    return True


def _refuse_substituted(entry: Entry, player: Player) -> None:
    if player.club_id != entry.event.club_id or player.erased_at:
        raise ValidationError({"substitutes": gettext("No player in the club has that name.")})
    if player.pk == (entry.player.merged_into_id or entry.player_id):
        message = gettext("Players can’t substitute for themselves. Leave it empty.")
        raise ValidationError({"substitutes": message})


def entries_keep_apart(*, first: Entry, second: Entry, must: bool | None, actor: Actor) -> None:
    """Keep two entries apart: `must` is True for a rule, False for a wish, None to let them sit at
    the same table again.

    Raise `ValidationError` if both are the same entry, or entries of different events.
    """
    if first.pk == second.pk or first.event_id != second.event_id:
        raise ValidationError(gettext("Choose two entries of this event."))
    first, second = sorted((first, second), key=lambda entry: entry.pk)
    with club_journal(first.event.club_id, actor) as journal:
        event_hold(first.event)
        payload = {"other": second.public_id, "must": must}
        journal.add(EntryAction.ENTRIES_KEPT_APART, first.public_id, payload)
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
    """Lock the entries of an event in a transaction. Yield its journal, the event and the entry's
    row; refresh `entry` afterwards."""
    with club_journal(entry.event.club_id, actor) as journal:
        yield journal, event_hold(entry.event), Entry.objects.get(pk=entry.pk)
    entry.refresh_from_db()


def course_hold(event: Event) -> Event:
    """Lock the event's row for a change on which the draws of a running event depend. Raise `Busy`
    while a draw is being made.
    """
    if Event.objects.get(pk=event.pk).status == Event.Status.RUNNING:
        transaction_lock_patient(Space.EVENT, event.pk)
    return event_hold(event)


def last_number(event: Event) -> int:
    """Return the number of the last entry of an event, 0 if there is none."""
    return Entry.objects.filter(event=event.pk).aggregate(last=Max("number"))["last"] or 0


def _has_place_for_next(event: Event) -> bool:
    if event.capacity is None:
        return True
    entries = Entry.objects.filter(event=event.pk)
    if entries.filter(status=WAITING).exists():
        return False
    return entries.filter(status=ENTERED).count() < event.capacity


def _change_and_log(journal: Journal, entry: Entry, *, role: str = "", **changes: object) -> None:
    before = {name: _logged_value(getattr(entry, name)) for name in changes}
    after = {name: _logged_value(value) for name, value in changes.items()}
    Entry.objects.filter(pk=entry.pk).update(**changes)
    payload: dict[str, object] = {"before": before, "after": after}
    if role:
        payload["role"] = role  # everybody may read in which role somebody acts
    journal.add(EntryAction.CHANGED, entry.public_id, payload)
    journal.state(ENTRY, [entry], changes)


def _logged_value(value: object) -> object:
    if isinstance(value, Player):
        return value.public_id
    if isinstance(value, datetime):
        return value.isoformat()
    return value


def _refuse_doubled_person(event: Event, player: Player, earlier: Entry | None) -> None:
    """Refuse an entry of a player for whom a substitute plays, and the `earlier` entry of a
    substitute if the substituted player takes part by now."""
    active = Entry.objects.filter(event=event.pk, status__in=ACTIVE)
    substitute = active.filter(substitutes__in=one_person(player)).select_related("player").first()
    if substitute:
        message = gettext(
            "%(handle)s plays for this player. End that first, in the entry of %(handle)s."
        )
        raise ValidationError({"player": message % {"handle": substitute.player.handle}})
    if earlier and earlier.substitutes:
        _refuse_if_taking_part(event, earlier.substitutes, earlier)


def _refuse_if_taking_part(event: Event, absent: Player, entry: Entry) -> None:
    """Refuse to let an entry play for somebody (`absent`) who takes part already, in person or
    through another substitute."""
    active = Entry.objects.filter(event=event.pk, status__in=ACTIVE).exclude(pk=entry.pk)
    people = one_person(absent)
    if active.filter(player__in=people).exists():
        message = gettext("%(handle)s already has a place. Withdraw that entry first.")
        raise ValidationError({"substitutes": message % {"handle": absent.handle}})
    other = active.filter(substitutes__in=people).select_related("player").first()
    if other is not None:
        message = gettext("%(other)s already plays for %(handle)s.")
        names = {"other": other.player.handle, "handle": absent.handle}
        raise ValidationError({"substitutes": message % names})


def refuse_closed(event: Event, *, by_organiser: bool = False) -> None:
    """Raise `ValidationError` if entries are closed. Organisers can enter players until the event
    is over.
    """
    refuse_over(event)
    if by_organiser:
        return
    if event.status == Event.Status.DRAFT or not event.self_entry:
        raise ValidationError(gettext("Entries aren’t open. Ask the organisers of the club."))
    is_too_late = event.entries_until is not None and event.entries_until < timezone.now()
    if event.status == Event.Status.RUNNING or is_too_late:
        raise ValidationError(gettext("Entries are closed. Ask the organisers of the club."))
