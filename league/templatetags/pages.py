"""Links that keep what the reader has chosen: sorting, pages, filters."""

from django import template
from django.http import HttpRequest
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def query(context: Context, **changes: object) -> str:
    """The page's own address with some parameters changed; None or empty takes one away: `{% query
    page=2 %}`."""
    request: HttpRequest = context["request"]
    parameters = request.GET.copy()
    for key, value in changes.items():
        if value in (None, ""):
            parameters.pop(key, None)
        else:
            parameters[key] = str(value)
    return "?" + parameters.urlencode()


@register.simple_tag(takes_context=True)
def sort_head(
    context: Context, key: str, label: str, classes: str = "", first: str = "desc"
) -> SafeString:
    """A column head that sorts: `{% sort_head "points" _("Points") "n" %}`.

    The page is asked for `?sort=points` or `?sort=-points` (descending); a click on the sorted
    column turns it round. `first` is the direction of the first click. The view gives the sort in
    force as `sort` in the context."""
    sort = str(context.get("sort") or "")
    down, up = f"-{key}", key
    state = {down: "descending", up: "ascending"}.get(sort)
    target = {down: up, up: down}.get(sort, down if first == "desc" else up)
    aria = format_html(' aria-sort="{}"', state) if state else ""
    return format_html(
        '<th scope="col" class="{}"{}><a class="sort" href="{}">{}</a></th>',
        *(classes, aria, query(context, sort=target, page=None), label),
    )
