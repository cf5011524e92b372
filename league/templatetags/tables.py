"""Tables: the common frame around the head and the rows."""

from typing import Final

from django import template
from django.template.loader import get_template
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
COMPONENT: Final = "components/table.html"


@register.simple_block_tag
def table(
    content: SafeString, kind: str = "", *, anchor: str = "", caption: str = ""
) -> SafeString:
    """Show a table with its head and rows inside: `{% table "tight folds" caption=_("Games") %} …
    {% endtable %}`.

    `kind` has classes: `tight` has less room between rows, `folds` puts secondary columns into the
    row on a phone, `lean` hides them there until the row is unfolded. `caption` is for screen
    readers; without one the heading above the table serves. `anchor` is the table's id."""
    arguments = {"content": content, "kind": kind, "anchor": anchor, "caption": caption}
    return mark_safe(get_template(COMPONENT).render(arguments))  # noqa: S308 the template has escaped it
