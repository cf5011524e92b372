"""Translatable messages: a template with named values, and its English sentence."""

import ast
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

SAYING: Final = {"say": 0, "bad": 1}
"""The functions that make messages, and the position of their template argument."""


class Message(str):
    """An English sentence with its `template` and `values`; values may be messages, too."""

    template: str
    values: Mapping[str, object]

    @classmethod
    def of(cls, template: str, values: Mapping[str, object]) -> "Message":
        """Return the message of a template and its values, filled in by `str.format`."""
        message = cls(template.format(**values))
        message.template = template
        message.values = values
        return message

    def translated(self, translate: Callable[[str], str]) -> str:
        """Return the sentence in the language of `translate`, which translates templates."""
        values: dict[str, object] = {}
        for name, value in self.values.items():
            if isinstance(value, Message):
                values[name] = value.translated(translate)
            else:
                values[name] = value
        return translate(self.template).format(**values)

    def as_json(self) -> dict[str, Any]:
        """Return template and values as a JSON object for `from_json`.

        Values that JSON can't hold become texts.
        """
        return {
            "template": self.template,
            "values": {name: _json_value(value) for name, value in self.values.items()},
        }

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Message":
        """Return the message that `as_json` wrote."""
        values = {}
        for name, value in stored["values"].items():
            values[name] = cls.from_json(value) if isinstance(value, dict) else value
        return cls.of(stored["template"], values)


def _json_value(value: object) -> object:
    if isinstance(value, Message):
        return value.as_json()
    if value is None or isinstance(value, str | int):
        return value
    return str(value)


def say(template: str, **values: object) -> Message:
    """Return the message of a template, which must be a literal so that `templates` finds it."""
    return Message.of(template, values)


def templates(folder: Path = Path(__file__).parent) -> Iterator[str]:
    """Yield every template in the Python files of a folder (the engine), by file and line.

    For a catalogue of translations. Raise ValueError for a template that isn't a literal.
    """
    for file in sorted(folder.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset)):
            if not isinstance(call.func, ast.Name) or call.func.id not in SAYING:
                continue
            template = call.args[SAYING[call.func.id]]
            if not isinstance(template, ast.Constant) or not isinstance(template.value, str):
                raise ValueError(f"{file}:{call.lineno}: the template isn't written out")
            yield template.value
