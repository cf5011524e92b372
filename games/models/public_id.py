"""Ids in addresses and answers: they never change, and reveal neither the number nor the order of
the rows."""

import secrets
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper

ALPHABET = "23456789bcdfghjkmnpqrstvwxz"
"""No vowels, so that no id spells a word; no letter that looks like a figure."""
LENGTH = 10
"""27 ** 10 is 2 * 10 ** 14: among a million ids the chance that a new one is taken already is 1
in 200 million."""


def new_public_id() -> str:
    """Return a random id."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


if TYPE_CHECKING:
    TextField = models.CharField[str, str]
else:
    TextField = models.CharField


class PublicIdField(TextField):
    """A column with a unique public id for each row."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        fixed = {"max_length": LENGTH, "default": new_public_id, "unique": True, "editable": False}
        options = {**kwargs, **fixed, "db_collation": "C"}
        super().__init__(*args, **options)

    def db_type(self, connection: BaseDatabaseWrapper) -> str:
        """Return the column's type under its full name.

        Django gives a unique `varchar` a second index for searches by prefix. In collation C the
        first one is enough.
        """
        return f"character varying({LENGTH})"


class PublicModel(models.Model):
    """The base of models whose rows have a public id for addresses and answers."""

    public_id = PublicIdField()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.public_id
