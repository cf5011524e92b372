"""Rankings of stages in templates."""

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
    """The head of a column of a stage's ranking, in the reader's language: `{% tie_break_label
    labels 0 %}`."""
    return said(labels[number])


@register.filter
def bracket_name(label: str) -> str:
    """The name of a table of a bracket that has one, such as the final, in the reader's language;
    empty for all others, which go by their numbers: `{{ table.label|bracket_name }}`."""
    return said(NAMES[label]) if label in NAMES else ""
