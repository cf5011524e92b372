"""Template tags for rankings and brackets of stages."""

from collections.abc import Sequence

from django import template

from engine.messages import Message
from engine.pairing.brackets.bracket_reasons import NAMES
from league.stages.stage.domain.group import group_title
from league.templatetags.messages import said

register = template.Library()
register.filter(group_title)


@register.simple_tag
def tie_break_label(labels: Sequence[Message], number: int) -> str:
    """Return the head of a ranking's column in the reader's language: `{% tie_break_label labels 0
    %}`."""
    return said(labels[number])


@register.filter
def bracket_name(label: str) -> str:
    """Return the name of a bracket's table that has one, such as the final, in the reader's
    language; empty for tables that go by their numbers: `{{ table.label|bracket_name }}`."""
    if label not in NAMES:
        return ""
    return said(NAMES[label])
