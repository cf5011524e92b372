"""Template tags of live pages."""

from collections.abc import Mapping

from django import template
from django.utils.translation import gettext

from games.templatetags.kniffel import announcement
from games.templatetags.table import bid_label
from league.sheets.sheet.domain.table_now import TableNow
from league.sheets.sheet.models import TableOpenGame

register = template.Library()


@register.simple_tag
def table_is_written(table_id: str) -> bool:
    """Return True if a game was opened at a table, given by public id."""
    return TableOpenGame.objects.filter(table__public_id=table_id).exists()


@register.filter
def of_table(tables: Mapping[str, object], table_id: str) -> object:
    """Return the value for a table from a dict by public ids, or None."""
    return tables.get(table_id)


@register.simple_tag
def last_word(table: TableNow) -> str:
    """Return the last bid or announcement as a sentence for screen readers: “Karla: 7 fours”."""
    if table.last is None:
        return ""
    if table.last.announcement:
        label = announcement(*table.last.announcement)
    else:
        label = bid_label(table.last.bid)
    speaker = table.speaker
    if speaker:
        return gettext("%(name)s: %(words)s") % {"name": speaker.name, "words": label}
    return label
