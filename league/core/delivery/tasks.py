"""Celery jobs of emails: each takes an id or nothing, calls a service, and is safe to run twice,
late or in any order."""

from celery import shared_task

from league.core.delivery.queries.letter import letters_waiting
from league.core.delivery.services.letter import (
    delayed_letter_send,
    letter_send,
    letters_forget,
)

SWEEP_SECONDS = 30


@shared_task(ignore_result=True)
def send_letter(letter_id: int) -> None:
    """Send an email if it is still waiting and no other worker has it."""
    letter_send(letter_id=letter_id)


@shared_task(ignore_result=True)
def send_delayed_letter() -> None:
    """Try one of the emails that wait because the mail server failed; once it is sent, the next one
    follows."""
    delayed_letter_send()


@shared_task(ignore_result=True)
def sweep_letters() -> None:
    """Queue the emails that are due again or whose job was lost, but none that is being sent."""
    for letter_id in letters_waiting():
        # It expires when the next sweep queues it again.
        send_letter.apply_async([letter_id], expires=SWEEP_SECONDS)


@shared_task(ignore_result=True)
def forget_letters() -> None:
    """Delete emails that ended long ago, and the addresses with them."""
    letters_forget()
