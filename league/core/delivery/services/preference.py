"""Choosing what to be told, and by which way."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from django.core import signing
from django.db import transaction

from league.core.account.models import User
from league.core.delivery.models.preference import NoticePreference, NoticeTopic

SALT: Final = "cups-up/stop-notices/1"


def preference_set(*, user: User, mail: Collection[str], push: Collection[str]) -> None:
    """Choose which topics come by mail, and which to one's devices."""
    NoticePreference.objects.update_or_create(
        user=user, defaults={"mail": _in_order(mail), "push": _in_order(push)}
    )


@transaction.atomic
def topic_stop(*, user: User, topic: NoticeTopic) -> None:
    """Let no more mail come on a topic; what was chosen else stays."""
    User.objects.select_for_update().get(pk=user.pk)
    row = NoticePreference.objects.filter(user=user).first() or NoticePreference(user=user)
    row.mail = [kept_topic for kept_topic in row.mail if kept_topic != topic]
    row.save()


def stop_token(public_id: str, topic: NoticeTopic) -> str:
    """Return what the address in a letter carries, by which its reader, given by public id, stops
    letters on its topic."""
    return signing.dumps([public_id, topic.value], salt=SALT)


def stop_token_read(token: str) -> tuple[User, NoticeTopic]:
    """The account and the topic of such an address; it is good for ever.

    Raises `User.DoesNotExist` for one that we didn't make.
    """
    try:
        public_id, topic = signing.loads(token, salt=SALT)
    except signing.BadSignature as error:
        raise User.DoesNotExist from error
    return User.objects.get(public_id=public_id), NoticeTopic(topic)


def _in_order(topics: Collection[str]) -> list[str]:
    return [topic for topic in NoticeTopic.values if topic in topics]
