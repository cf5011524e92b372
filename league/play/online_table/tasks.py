"""The jobs of online tables. Each can run twice, late and in any order."""

from celery import shared_task
from django.utils import timezone

from league.play.online_table.services.game import counted_turns_end, turn_end
from league.play.online_table.services.table import tables_end
from league.play.turn.queries import turns_to_end

SWEEP_SECONDS = 30


@shared_task(ignore_result=True)
def end_tables() -> None:
    """Abandon the tables that everybody has left."""
    tables_end()


@shared_task(ignore_result=True)
def end_counted_turns() -> None:
    """End the turns of live counted games whose time and grace period are over."""
    counted_turns_end()


@shared_task(ignore_result=True)
def end_turn(seat_id: int) -> None:
    """End the turn of a seat whose time is over. Do nothing if it has ended by now."""
    turn_end(seat_id=seat_id)


@shared_task(ignore_result=True)
def sweep_turns() -> None:
    """Queue a job for each turn whose time is over; an extra job does no harm."""
    for seat_id in turns_to_end(timezone.now()):
        # The call may expire, because the next sweep finds the turn again.
        end_turn.apply_async([seat_id], expires=SWEEP_SECONDS)
