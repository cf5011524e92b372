"""A reader who presses what a page of the manual names: links and buttons by their words, as a
browser would."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin

from django.test import Client

Answers = Callable[[str, dict[str, str]], str | None]
"""What somebody types into a field: by its name, and what the form holds; None leaves it as it
is."""
VOID = {"input", "br", "img", "meta", "link", "hr", "use", "source", "path", "circle", "rect"}


@dataclass
class Pressed:
    """A link (`address`), or a button of a form."""

    words: str
    address: str = ""
    form: Form | None = None
    name: str = ""
    value: str = ""


@dataclass
class Form:
    """A form, with what its fields hold."""

    action: str
    method: str
    fields: dict[str, list[str]] = field(default_factory=dict)


class Seen(HTMLParser):
    """All that can be pressed on a page. Words for screen readers alone aren't read."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.pressed: list[Pressed] = []
        self.form: Form | None = None
        self._open: Pressed | None = None
        self._hidden = 0
        self._select = ""
        self._textarea = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what begins."""
        given = {name: value or "" for name, value in attrs}
        if self._hidden and tag not in VOID:
            self._hidden += 1
        elif "sr-only" in given.get("class", "").split():
            self._hidden = 1
        if tag == "form":
            self.form = Form(given.get("action", ""), given.get("method", "get"))
        elif tag == "a" and "href" in given:
            self._open = Pressed("", address=given["href"])
        elif tag == "button":
            self._open = Pressed(
                "", form=self.form, name=given.get("name", ""), value=given.get("value", "")
            )
        elif self.form is not None and given.get("name"):
            self._field(tag, given)
        elif tag == "option" and self.form is not None and self._select:
            chosen = self.form.fields.setdefault(self._select, [given.get("value", "")])
            if "selected" in given:
                chosen[:] = [given.get("value", "")]

    def _field(self, tag: str, given: dict[str, str]) -> None:
        """Note a field with what it holds."""
        assert self.form is not None
        name, kind = given["name"], given.get("type", "text")
        if tag == "input" and (kind not in ("checkbox", "radio") or "checked" in given):
            self.form.fields.setdefault(name, []).append(
                given.get("value", "on" if kind == "checkbox" else "")
            )
        elif tag == "select":
            self._select = name
        elif tag == "textarea":
            self._textarea = name
            self.form.fields[name] = [""]

    def handle_data(self, data: str) -> None:
        """Read the words of what is open."""
        if self._open is not None and not self._hidden:
            self._open.words += data

    def handle_endtag(self, tag: str) -> None:
        """Note what ends."""
        if self._hidden:
            self._hidden -= 1
        if tag in ("a", "button") and self._open is not None:
            self._open.words = " ".join(self._open.words.split())
            self.pressed.append(self._open)
            self._open = None
        elif tag == "form":
            self.form = None
        elif tag == "select":
            self._select = ""


class Reader:
    """Somebody at a browser without scripts, who reads in one language."""

    def __init__(self, client: Client, language: str, answers: Answers) -> None:
        self.client, self.language, self.answers = client, language, answers
        self.address, self.html = "", ""

    def open(self, address: str) -> None:
        """Go to an address."""
        self._shown(
            self.client.get(address, headers={"accept-language": self.language}, follow=True),
            address,
        )

    def sees(self, words: str) -> bool:
        """True if there is a link or a button with these words."""
        return self._find(words) is not None

    def press(self, words: str) -> None:
        """Press the last link or button with these words: what the page is about comes after its
        menus."""
        found = self._find(words)
        assert found is not None, (
            f"{self.address} has no “{words}”: {[one.words for one in Seen(self.html).pressed]}"
        )
        if found.form is None:
            self.open(urljoin(self.address, found.address))
            return
        sent = dict(found.form.fields)
        for name in list(sent):
            typed = self.answers(name, {key: values[0] for key, values in sent.items()})
            if typed is not None:
                sent[name] = [typed]
        if found.name:
            sent[found.name] = [found.value]
        target = urljoin(self.address, found.form.action)
        do = self.client.post if found.form.method.lower() == "post" else self.client.get
        self._shown(
            do(target, sent, headers={"accept-language": self.language}, follow=True), target
        )

    def _find(self, words: str) -> Pressed | None:
        """The last with these words, which may go on behind a colon."""
        start = words.casefold()
        matching = [
            one
            for one in Seen(self.html).pressed
            if one.words.casefold().partition(":")[0] == start
        ]
        return matching[-1] if matching else None

    def _shown(self, answer: object, address: str) -> None:
        assert answer.status_code == 200, (address, answer.status_code)  # type: ignore[attr-defined]
        self.address = answer.redirect_chain[-1][0] if answer.redirect_chain else address  # type: ignore[attr-defined]
        self.html = answer.content.decode()  # type: ignore[attr-defined]
