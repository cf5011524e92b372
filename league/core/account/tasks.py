"""The jobs of accounts. Each calls a service, and is safe to run twice, late or in any order."""

from celery import shared_task

from league.core.account.services import second_factors_keep, sign_ins_forget


@shared_task(ignore_result=True)
def forget_sign_ins() -> None:
    """Delete ended and overlong sessions, and old records of sign-ins and wrong passwords."""
    sign_ins_forget()


@shared_task(ignore_result=True)
def keep_second_factors() -> None:
    """Encrypt the secrets of second factors again after the service's key has changed."""
    second_factors_keep()
