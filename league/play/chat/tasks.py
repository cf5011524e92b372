"""The job of chats. It can run twice, late and in any order."""

from celery import shared_task

from league.play.chat.services import lines_forget


@shared_task(ignore_result=True)
def forget_lines() -> None:
    """Delete the lines that are 30 days old."""
    lines_forget()
