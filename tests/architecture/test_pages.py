"""No page is added without being looked at in a browser."""

from django.urls import URLResolver, get_resolver

from tests.browser.pages import NOT_WALKED, PAGES

FOREIGN = ("admin/", "api/")
"""Where others' pages are, or none."""


def named(resolver: URLResolver) -> set[str]:
    """The names of all routes under a resolver."""
    names = set()
    for entry in resolver.url_patterns:
        if isinstance(entry, URLResolver):
            names |= set() if str(entry.pattern) in FOREIGN else named(entry)
        elif entry.name:
            names.add(entry.name)
    return names


def test_every_route_is_walked_by_the_browser_tests_or_said_to_be_no_page() -> None:
    routes = named(get_resolver())
    assert not routes ^ (PAGES.keys() | NOT_WALKED.keys())
    assert not PAGES.keys() & NOT_WALKED.keys()
