"""Writing what is derived: rows that a rebuild would give again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from django.db.models import Model

M = TypeVar("M", bound=Model)


def derived_write(model: type[M], stored: Iterable[M], wanted: Iterable[M], *, key: tuple[str, ...]) -> None:
    """Make the stored rows the wanted ones, which are matched by the fields of `key`; only what differs is written.

    `wanted` are unsaved. There is a unique constraint over `key`.
    """
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    identity = [field.attname for field in fields if field.name in key]

    def named(row: M) -> tuple[object, ...]:
        return tuple(getattr(row, name) for name in identity)

    def figures(row: M) -> list[object]:
        return [getattr(row, field.attname) for field in fields]

    old = {named(row): row for row in stored}
    new = {named(row): row for row in wanted}
    gone = [row.pk for name, row in old.items() if name not in new]
    if gone:
        model._default_manager.filter(pk__in=gone).delete()
    model._default_manager.bulk_create(
        [row for name, row in new.items() if name not in old or figures(old[name]) != figures(row)],
        update_conflicts=True,
        unique_fields=key,
        update_fields=[field.name for field in fields if field.name not in key],
    )
