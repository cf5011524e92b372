"""Everything that is stored about an account and its players, for its owner to download."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import BinaryField, ForeignKey, ForeignObjectRel, Model

from league.core.account.models import User
from league.core.player.models import Player

SECRET: Final = frozenset(
    [
        "auth",
        "code",
        "data",
        "digest",
        "endpoint",
        "key",
        "link_token",
        "names",
        "p256dh",
        "password",
        "salt",
        "seal",
        "secret",
        "secret_digest",
        "session_key",
        "token",
    ]
)
"""Columns that aren't exported: they would let somebody act as the account, or reveal forgotten texts
about others."""
NAMES: Final = ("name", "username", "slug", "public_id")
"""The columns that can name a row, the first that it has."""
OwnRows = list[dict[str, Any]]


def own_data(user: User) -> dict[str, Any]:
    """Return an account's columns, all rows that refer to the account by table, and the same for
    each of its players."""
    players = Player.objects.filter(user=user).order_by("pk")
    return {
        "account": _rows_without_secrets(User, pk=user.pk)[0],
        "of_the_account": _rows_pointing_to(user),
        "players": [
            {
                "player": _rows_without_secrets(Player, pk=player.pk)[0],
                "of_the_player": _rows_pointing_to(player),
            }
            for player in players
        ],
    }


def _rows_pointing_to(row: Model) -> dict[str, OwnRows]:
    rows_by_column = {}
    for relation in row._meta.get_fields(include_hidden=True):
        if not isinstance(relation, ForeignObjectRel) or not isinstance(relation.field, ForeignKey):
            continue
        model: Any = relation.related_model
        column = relation.field.name
        rows = _rows_without_secrets(model, **{column: row.pk})
        if rows:
            rows_by_column[f"{model._meta.label_lower}.{column}"] = rows
    return dict(sorted(rows_by_column.items()))


def _rows_without_secrets(model: type[Model], **conditions: Any) -> OwnRows:
    columns = {}
    for field in model._meta.concrete_fields:
        if field.name in SECRET or isinstance(field, BinaryField):
            continue
        columns[field.name] = field.name
        if isinstance(field, ForeignKey):
            columns[field.name] = f"{field.name}{_path_to_name(field.related_model)}"
    rows = model._base_manager.filter(**conditions).order_by("pk").values_list(*columns.values())
    return [dict(zip(columns, row, strict=True)) for row in rows]


def _path_to_name(model: Any) -> str:
    names = {field.name for field in model._meta.concrete_fields}
    return next((f"__{name}" for name in NAMES if name in names), "")
