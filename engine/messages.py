"""Messages that can be said in other languages: a template with named values, and its English
sentence."""

import ast
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

SAYING: Final = {"say": 0, "bad": 1}
"""The functions that make messages, and which of their arguments is the template."""


class Message(str):
    """The English sentence; `template` and the `values` filled into it, some of which may be
    messages themselves."""

    template: str
    values: Mapping[str, object]

    @classmethod
    def of(cls, template: str, values: Mapping[str, object]) -> "Message":
        """The message that a template makes with its values, as `str.format` does."""
        message = cls(template.format(**values))
        message.template, message.values = template, values
        return message

    def translated(self, translate: Callable[[str], str]) -> str:
        """The sentence in another language: `translate` gives the template in that language."""
        values = {
            name: value.translated(translate) if isinstance(value, Message) else value
            for name, value in self.values.items()
        }
        return translate(self.template).format(**values)

    def as_json(self) -> dict[str, Any]:
        """Template and values as a JSON object, from which `from_json` makes the message again.

        A value that JSON has no word for is its text.
        """
        return {
            "template": self.template,
            "values": {name: _plain(value) for name, value in self.values.items()},
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Message":
        """The message that `as_json` wrote."""
        values = stored["values"].items()
        return cls.of(
            stored["template"],
            {
                name: cls.from_json(value) if isinstance(value, dict) else value
                for name, value in values
            },
        )


def _plain(value: object) -> object:
    """A value of a message as JSON has it; a message inside is an object."""
    if isinstance(value, Message):
        return value.as_json()
    return value if value is None or isinstance(value, str | int) else str(value)


def say(template: str, **values: object) -> Message:
    """The message that a template makes; it is written out where it is said, so that `templates`
    finds it."""
    return Message.of(template, values)


def templates(folder: Path = Path(__file__).parent) -> Iterator[str]:
    """Every template in the Python files of a folder (the engine), by file and line, for a
    catalogue of translations.

    ValueError for one that isn't written out where it is said.
    """
    for file in sorted(folder.rglob("*.py")):
        calls = [
            node
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call)
        ]
        for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
            place = SAYING.get(call.func.id) if isinstance(call.func, ast.Name) else None
            if place is not None:
                template = call.args[place]
                if not isinstance(template, ast.Constant) or not isinstance(template.value, str):
                    raise ValueError(f"{file}:{call.lineno}: the template isn't written out")
                yield template.value
