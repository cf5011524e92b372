"""Messages of checkers in the reader's language."""

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.translation import gettext

from engine.messages import Message

register = template.Library()


@register.filter
def said(message: Message) -> str:
    """Return a message in the reader's language: `{{ fault.message|said }}`."""
    return message.translated(gettext)


@register.filter
def reason(bad_game: Mapping[str, Any]) -> str:
    """Return what is wrong with a bad game of a report, in the reader's language; in English if the
    report is too old to have more than the sentence."""
    sentence = bad_game.get("said")
    if sentence:
        return said(Message.from_json(sentence))
    return str(bad_game["message"])
