"""Templates read from top to bottom: one element a line, nesting shown by indentation, arguments
named and told."""

import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import Any

import pytest
from django.template import Engine, Node, Origin, Template, Variable
from django.template.base import FilterExpression, TokenType
from django.template.defaulttags import CsrfTokenNode, ForNode, WithNode
from django.templatetags.i18n import BlockTranslateNode

ENGINE = Engine.get_default()
TEMPLATES = Path(__file__).parents[2] / "templates"
PAGES = {
    str(page.relative_to(TEMPLATES)): page.read_text() for page in sorted(TEMPLATES.rglob("*.html"))
}
PARTS = [
    name for name, text in PAGES.items() if "{% extends" not in text and "<!doctype" not in text
]
"""Components, and the named parts of pages."""
WIDTH = LENGTH = 120
STEP, ATTRIBUTES = 2, 4
"""Indentation: of what stands inside, and of the lines on which a start tag goes on."""

TOKEN = re.compile(
    r"{#.*?#}|{{.*?}}|<!doctype[^>]*>|{%\s*(?P<tag>\w+).*?%}"
    r"|</(?P<close>\w+)>|<(?P<open>\w+)|(?P<void>/>)|(?P<end>>)|(?P<line>\n *(?=\S))"
)
BETWEEN = {"else", "elif", "empty", "plural"}
VOID = {"base", "br", "hr", "img", "input", "link", "meta"}
BLOCK = re.compile(
    r"<(address|article|aside|blockquote|body|caption|dd|details|dialog|div|dl|dt|fieldset|figcaption|figure|footer|form"
    r"|h\d|head|header|html|legend|li|main|nav|ol|p|pre|section|summary|table|tbody|td|tfoot|th|thead|tr|ul)\b"
)
MarkupFault = tuple[int, str]
"""The number of a line, and what is wrong with it."""


class Nesting:
    """Reads a template and finds the lines that don't stand where their nesting says, or open
    several things."""

    def __init__(self, text: str) -> None:
        self.pairs = {name for name in re.findall(r"{% (\w+)", text) if f"{{% end{name}" in text}
        self.text = text
        self.open: list[str] = []
        self.start_tag = ""
        self.line = 1
        self.before: list[str] = []

    def faults(self) -> Iterator[MarkupFault]:
        """Every line that is indented otherwise, opens or closes two things, or closes what isn't
        open."""
        for token in TOKEN.finditer(self.text):
            if token["line"]:
                yield from self._left()
                yield from self._indented(token)
            elif self._closes(token):
                name = token["close"] or token["tag"].removeprefix("end")
                if not self.open or self.open.pop() != name:
                    yield self.line, f"closes {name}, which isn't the last thing open"
            else:
                self._read(token)
        yield from self._left()
        if self.open:
            yield self.line, f"left open: {self.open}"

    def _closes(self, token: re.Match[str]) -> bool:
        return bool(token["close"]) or (token["tag"] or "").startswith("end")

    def _read(self, token: re.Match[str]) -> None:
        if token["tag"] in self.pairs:
            self.open.append(token["tag"])
        elif token["open"]:
            self.start_tag = token["open"]
        elif token["end"] or token["void"]:
            if token["end"] and self.start_tag and self.start_tag not in VOID:
                self.open.append(self.start_tag)
            self.start_tag = ""

    def _left(self) -> Iterator[MarkupFault]:
        """The end of a line."""
        if abs(len(self.open) - len(self.before)) > 1 and "pre" not in self.open + self.before:
            yield self.line, "opens or closes several things"

    def _indented(self, token: re.Match[str]) -> Iterator[MarkupFault]:
        """The beginning of a line: `token` is what leads to its first sign."""
        self.line = self.text.count("\n", 0, token.end()) + 1
        self.before = [*self.open]
        first = TOKEN.match(self.text, token.end())
        depth = len(self.open) - bool(first and (self._closes(first) or first["tag"] in BETWEEN))
        wanted = STEP * (depth - ("html" in self.open and depth > 0)) + ATTRIBUTES * bool(
            self.start_tag
        )
        found = len(token["line"]) - 1
        if found != wanted and "pre" not in self.open:
            yield self.line, f"is indented by {found} instead of {wanted}"


def variables(template: Template) -> set[str]:
    """The names that a template looks up in its context, without those that it gives itself."""
    wanted, given = set[str](), {"forloop", "True", "False", "None"}
    todo: list[Any] = [template.nodelist]
    while todo:
        thing = todo.pop()
        if isinstance(thing, list | tuple):
            todo.extend(thing)
        elif isinstance(thing, dict):
            todo.extend(thing.values())
        elif isinstance(thing, FilterExpression):
            todo.extend((thing.var, thing.filters))
        elif isinstance(thing, Variable):
            wanted.update((thing.lookups or ())[:1])
        elif isinstance(thing, CsrfTokenNode):
            wanted.add("csrf_token")
        elif type(thing).__module__.startswith("django.template") and not isinstance(thing, Origin):
            todo.extend(getattr(thing, "__dict__", {}).values())
        if isinstance(thing, Node):
            given.update(
                str(vars(thing).get(key)) for key in ("asvar", "target_var", "var_name", "variable")
            )
            wanted.update(["request"] if vars(thing).get("takes_context") else [])
        if isinstance(thing, ForNode):
            given.update(thing.loopvars)
        if isinstance(thing, WithNode | BlockTranslateNode):
            given.update(thing.extra_context)
        if isinstance(thing, BlockTranslateNode):
            wanted.update(
                token.contents for token in thing.singular if token.token_type == TokenType.VAR
            )
            given.add(thing.countervar or "")
    return wanted - given


def header(text: str) -> str:
    """The comment at a template's top."""
    return "\n".join(takewhile(lambda line: re.fullmatch("{# .+ #}", line), text.splitlines()))


def test_what_a_template_includes_is_there() -> None:
    needed = {
        (name, part)
        for name, text in PAGES.items()
        for part in re.findall(r'{% (?:include|extends) "(.*?)"', text)
    }
    assert not {(name, part) for name, part in needed if not (TEMPLATES / part).exists()}


def test_no_line_is_wider_and_no_page_longer_than_a_screen() -> None:
    assert not [
        f"{name}:{number}"
        for name, text in PAGES.items()
        for number, line in enumerate(text.splitlines(), start=1)
        if len(line) > WIDTH or number > LENGTH
    ]


def test_indentation_shows_the_nesting() -> None:
    assert not [
        f"{name}:{line} {what}"
        for name, text in PAGES.items()
        for line, what in Nesting(text).faults()
    ]


def test_a_line_opens_one_block_at_most() -> None:
    assert not [
        f"{name}:{number}"
        for name, text in PAGES.items()
        for number, line in enumerate(text.splitlines(), start=1)
        if len(BLOCK.findall(re.sub("{#.*#}", "", line))) > 1
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("<ul>\n<li>a</li>\n</ul>", (2, "is indented by 0 instead of 2")),
        (
            "<p>\n  {% if a %}\n    b\n    {% else %}\n    c\n  {% endif %}\n</p>",
            (4, "is indented by 4 instead of 2"),
        ),
        ('<a class="b"\n  href="c">d</a>', (2, "is indented by 2 instead of 4")),
        ("<ul><li>\n    a\n</li></ul>", (1, "opens or closes several things")),
        ("<b>a</i>", (1, "closes i, which isn't the last thing open")),
        ("{% if a %}\n  <p>\n{% endif %}", (3, "closes if, which isn't the last thing open")),
        ("<br>\n<div>", (2, "left open: ['div']")),
    ],
)
def test_the_check_itself_finds_faults(text: str, fault: MarkupFault) -> None:
    assert fault in Nesting(text).faults()


def test_a_part_tells_at_its_top_what_it_is_and_what_it_needs() -> None:
    untold = {}
    for name in PARTS:
        top = header(PAGES[name])
        missing = variables(ENGINE.get_template(name)) - set(re.findall(r"\w+", top))
        if missing or not top:
            untold[name] = sorted(missing)
    assert untold == {}


def test_what_a_template_needs_is_found_wherever_it_stands() -> None:
    template = ENGINE.from_string(
        "{% load i18n pages %}{% for a in b %}{{ a }}{{ forloop.counter }}{{ c.d|default:e }}{% "
        "endfor %}"
        "{% if f == 1 or not g %}{% with h=i %}{{ h }}{% endwith %}{% endif %}{% url 'doc' j as k "
        "%}{{ k }}"
        "{% blocktranslate with l=m count n=o %}{{ l }}{{ p }}{% plural %}{{ n }}{% "
        "endblocktranslate %}"
        "{% include 'components/badge.html' with label=q only %}{% csrf_token %}{% query page=r %}"
    )
    assert variables(template) == {*"bcefgijmopqr", "csrf_token", "request"}


def test_lists_are_framed_by_the_table_component_alone() -> None:
    assert [name for name, text in PAGES.items() if '<table class="ledger' in text] == [
        "components/table.html"
    ]


def test_components_see_nothing_but_the_arguments_that_they_are_given() -> None:
    included = re.compile(r'{% include "components/[^%]*?( only)? %}')
    assert not [
        f"{name}: {one[0]}"
        for name, text in PAGES.items()
        for one in included.finditer(text)
        if not one[1]
    ]


def test_every_page_with_a_code_for_others_warns_where_it_opens_on_this_machine_alone() -> None:
    """The code of a second factor is for its owner alone, and holds no address."""
    shown = [
        name for name, text in PAGES.items() if "{% qr " in text and not name.startswith("mfa/")
    ]
    assert shown
    for name in shown:
        assert "components/local_address.html" in PAGES[name], name
