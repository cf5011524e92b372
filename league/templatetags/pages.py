"""Links that keep the reader's choices: sorting, pages, filters."""

from django import template
from django.http import HttpRequest
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def query(context: Context, **changes: object) -> str:
    """Return the page's own address with some parameters changed; None or empty removes one: `{%
    query page=2 %}`."""
    request: HttpRequest = context["request"]
    parameters = request.GET.copy()
    for key, value in changes.items():
        if value in (None, ""):
            parameters.pop(key, None)
        else:
            parameters[key] = str(value)
    return "?" + parameters.urlencode()


@register.simple_tag(takes_context=True)
def page_query(context: Context, parameter: str, number: int) -> str:
    """Return the page's own address with another page of one of its lists, named by its parameter:
    `{% page_query "hearings" 2 %}`."""
    return query(context, **{parameter: number})


@register.simple_tag(takes_context=True)
def sort_head(
    context: Context, key: str, label: str, classes: str = "", first: str = "desc"
) -> SafeString:
    """Show a column head that sorts: `{% sort_head "points" _("Points") "n" %}`.

    The address gets `?sort=points` or `?sort=-points` (descending); a click on the sorted column
    reverses it. `first` is the direction of the first click. The view sets the current order as
    `sort` in the context."""
    ascending = key
    descending = f"-{key}"
    target = descending if first == "desc" else ascending
    state = ""
    current = context.get("sort")
    if current == descending:
        target = ascending
        state = "descending"
    elif current == ascending:
        target = descending
        state = "ascending"
    return format_html(
        '<th scope="col" class="{}"{}><a class="sort" href="{}">{}</a></th>',
        classes,
        format_html(' aria-sort="{}"', state) if state else "",
        query(context, sort=target, page=None),
        label,
    )
