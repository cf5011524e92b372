"""The jobs of online tables: each can run twice, late and in any order."""

from celery import shared_task
from django.utils import timezone

from league.play.online_table.services.game import counted_turns_end, turn_end
from league.play.online_table.services.table import tables_end
from league.play.turn.queries import turns_to_end

SWEEP_SECONDS = 30


@shared_task(ignore_result=True)
def end_tables() -> None:
    """End the tables that everybody has left."""
    tables_end()


@shared_task(ignore_result=True)
def end_counted_turns() -> None:
    """End the turns of live counted games whose time and grace are over."""
    counted_turns_end()


@shared_task(ignore_result=True)
def end_turn(seat_id: int) -> None:
    """End the turn of a seat whose time is over; a turn that is over by now stays as it ended."""
    turn_end(seat_id=seat_id)


@shared_task(ignore_result=True)
def sweep_turns() -> None:
    """Find the turns whose time is over, and have each ended; a call too many ends nothing."""
    for seat_id in turns_to_end(timezone.now()):
        end_turn.apply_async([seat_id], expires=SWEEP_SECONDS)  # the next sweep calls anew
