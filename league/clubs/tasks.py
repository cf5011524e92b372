"""Celery jobs of clubs: each takes an id or nothing, calls a service, and is safe to run twice, late or in any order.

Who forgets something forgets late what a run that was lost would have forgotten.
"""

from celery import shared_task

from league.clubs.queries.letter import letters_waiting
from league.clubs.services.account import second_factors_keep, sign_ins_forget
from league.clubs.services.idempotency import keys_forget
from league.clubs.services.invitation import invitations_forget
from league.clubs.services.letter import letter_send, letters_forget

SWEEP_SECONDS = 30


@shared_task(ignore_result=True)
def forget_keys() -> None:
    """Forget the API's answers that nobody will ask for again."""
    keys_forget()


@shared_task(ignore_result=True)
def forget_invitations() -> None:
    """Forget the invitations, and with them the addresses, that nobody accepted in time."""
    invitations_forget()


@shared_task(ignore_result=True)
def send_letter(letter_id: int) -> None:
    """Send a letter, if it still waits and nobody else is at it: twice, the second finds it sent."""
    letter_send(letter_id=letter_id)


@shared_task(ignore_result=True)
def sweep_letters() -> None:
    """Find letters that are due again or whose call was lost, and call again; one that is being sent stays alone."""
    for letter_id in letters_waiting():
        send_letter.apply_async([letter_id], expires=SWEEP_SECONDS)  # the next sweep calls anew


@shared_task(ignore_result=True)
def forget_letters() -> None:
    """Forget the letters, and with them the addresses, that ended long ago."""
    letters_forget()


@shared_task(ignore_result=True)
def forget_sign_ins() -> None:
    """Forget sessions that have ended or last too long, and wrong passwords of days before."""
    sign_ins_forget()


@shared_task(ignore_result=True)
def keep_second_factors() -> None:
    """Encrypt the secrets of second factors anew after the service's key has changed."""
    second_factors_keep()
