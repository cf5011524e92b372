"""Ways to the live pages of tables and events, and words for what is going on there."""

from collections.abc import Mapping

from django import template
from django.utils.translation import gettext

from games.templatetags.kniffel import announcement
from games.templatetags.table import bid_label
from league.sheets.sheet.domain.table_now import TableNow
from league.sheets.watching.queries.watch import tables_opened

register = template.Library()


@register.simple_tag
def table_is_written(table_id: str) -> bool:
    """Return True if a game of a table was opened to be written down."""
    return bool(tables_opened([table_id]))


@register.filter
def of_table(tables: Mapping[str, object], table_id: str) -> object:
    """Return what a page knows of the table of that public id, or None."""
    return tables.get(table_id)


@register.simple_tag
def last_word(table: TableNow) -> str:
    """What was said last, for those who hear the page: “Karla: 7 fours”."""
    if table.last is None:
        return ""
    if table.last.announcement:
        words = announcement(*table.last.announcement)
    else:
        words = bid_label(table.last.bid)
    speaker = table.speaker
    if speaker:
        return gettext("%(name)s: %(words)s") % {"name": speaker.name, "words": words}
    return words
