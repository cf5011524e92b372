"""One environment variable: its name, the kind of its values, and how it is read.

Each NAME can also be given as NAME_FILE, the path of a file with the value (a secret of Docker or
systemd). An empty value counts as none."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from django.core.exceptions import ImproperlyConfigured

from league.environment.kinds import T, ValueKind

Environment = Mapping[str, str]

FILE_LIMIT: Final = 64 * 1024  # bytes of a file with a value
SHOWN_LENGTH: Final = 60  # characters of a wrong value that are shown
PASSWORD: Final = re.compile(r":.*@", re.DOTALL)
"""What may be a password in an address, whichever setting was given that address by mistake."""


class BadSetting(ImproperlyConfigured):
    """An invalid environment variable. The message is one sentence, which says what to do and never
    shows a secret."""


@dataclass(frozen=True)
class BaseVariable(Generic[T]):
    """What all variables have. `about` is the variable's sentence in the manual. The value of a
    `secret` one is never shown. It has to be given where one of `needed_with` is."""

    name: str
    kind: ValueKind[T]
    about: str
    secret: bool = field(default=False, kw_only=True)
    needed_with: tuple[BaseVariable[bool] | BaseVariable[str], ...] = field(
        default=(), kw_only=True
    )

    @property
    def file_name(self) -> str:
        """The variable that names a file with the value."""
        return f"{self.name}_FILE"

    def is_given(self, environment: Environment = os.environ) -> bool:
        """Return True if the environment has a value, or names its file."""
        return bool(environment.get(self.name) or environment.get(self.file_name))

    def given(self, environment: Environment = os.environ) -> T | None:
        """Return the value that the environment gives, None if it gives none. Raise `BadSetting` if
        it is invalid."""
        text = self._text(environment)
        if not text:
            return None
        try:
            return self.kind.parse(text)
        except (ValueError, OSError):
            raise BadSetting(
                f"{self._value_shown(text)}; it has to be {self.kind.describe()}."
            ) from None

    def check(self, environment: Environment = os.environ) -> None:
        """Raise `BadSetting` if the value is invalid, or missing where it is needed."""
        if self.given(environment) is not None:
            return
        for other in self.needed_with:
            if other.given(environment):
                raise BadSetting(
                    f"{self.name} is missing; it has to be set where {other.name} is: "
                    f"{self.kind.describe()}."
                )

    def _text(self, environment: Environment) -> str:
        path = environment.get(self.file_name)
        if not path:
            return environment.get(self.name, "")
        if environment.get(self.name):
            raise BadSetting(f"{self.name} and {self.file_name} are both set; set only one.")
        return self._file_text(path)

    def _file_text(self, path: str) -> str:
        # No message shows the path: it may be a secret that was given under the wrong name.
        try:
            with open(path, "rb") as file:
                text = file.read(FILE_LIMIT + 1).decode().strip()
        except (OSError, ValueError):
            raise BadSetting(f"{self.file_name} names a file that can't be read.") from None
        if not text:
            raise BadSetting(f"{self.file_name} names an empty file.")
        if len(text) > FILE_LIMIT:
            raise BadSetting(f"{self.file_name} names a file that is too large.")
        return text

    def _value_shown(self, text: str) -> str:
        if self.secret or PASSWORD.search(text):
            return f"{self.name} can't be used"
        return f"{self.name} is {text[:SHOWN_LENGTH]!r}"


@dataclass(frozen=True)
class Variable(BaseVariable[T]):
    """A variable with a default, written as in the environment."""

    default: str = field(kw_only=True)

    def read(self, environment: Environment = os.environ) -> T:
        """Return the value, or the default. Raise `BadSetting` if it is invalid."""
        value = self.given(environment)
        return self.kind.parse(self.default) if value is None else value


@dataclass(frozen=True)
class OptionalVariable(BaseVariable[T]):
    """A variable without a default. `otherwise` says what applies if it isn't set."""

    otherwise: str = field(kw_only=True)

    def read(self, environment: Environment = os.environ) -> T | None:
        """Return the value; None if it isn't set. Raise `BadSetting` if it is invalid."""
        return self.given(environment)


AnyVariable = Variable[Any] | OptionalVariable[Any]
V = TypeVar("V", bound=AnyVariable)


@dataclass(frozen=True)
class VariableGroup:
    """Variables of one purpose, in the order in which the manual lists them."""

    name: str
    title: str
    variables: list[AnyVariable] = field(default_factory=list, init=False)

    def add(self, variable: V) -> V:
        """Add a variable to the group, and return it."""
        self.variables.append(variable)
        return variable
