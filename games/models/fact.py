"""Facts: rows that are written once. Whoever runs the service can add them and can't change them.

Two lines hold that. The service's role of the database has no right to (`league.up.roles` reads
what a model says here), and a trigger refuses it to everybody, so that the owner doesn't do it by
mistake either."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar

import pgtrigger
from django.db import models
from django.db.models.signals import class_prepared
from django.dispatch import receiver
from pgtrigger import compiler


def sealed_columns(model: type[models.Model], unsealed: Sequence[str]) -> list[str]:
    """The columns of a model of facts that nobody may change: all but those of its unsealed
    fields."""
    return [
        str(field.column) for field in model._meta.concrete_fields if field.name not in unsealed
    ]


class GuardSql(compiler.UpsertTriggerSql):
    """Installs a trigger that asks for no setting of the session, and whose tables can't be
    shadowed by others.

    pgtrigger's own asks `pgtrigger.ignore`, which every role may set, and looks tables up along the
    session's path."""

    def get_template(self) -> str:
        """The statements, with a place for each argument."""
        return """
            CREATE OR REPLACE FUNCTION {pgid}() RETURNS TRIGGER
                LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
                {declare}
                BEGIN
                    {func}
                END;
            $$;
            DROP TRIGGER IF EXISTS {pgid} ON {table};
            CREATE {constraint} TRIGGER {pgid}
                {when} {operation} ON {table} {timing} {referencing}
                FOR EACH {level} {condition} EXECUTE FUNCTION {execute};
            COMMENT ON TRIGGER {pgid} ON {table} IS '{hash}';
        """


class Guard(pgtrigger.Trigger):
    """A trigger that no setting switches off: the base of all that stand before facts."""

    when = pgtrigger.Before

    def compile(self, model: Any) -> compiler.Trigger:
        """The trigger as migrations keep it, for a model of today's or of a migration's past."""
        return compiler.Trigger(name=self.name, sql=GuardSql(**self.arguments(model)))

    def arguments(self, model: Any) -> dict[str, str]:
        """The values that `GuardSql` puts in its places."""
        return super().compile(model).sql.kwargs


class Sealed(Guard):
    """Refuses DELETE, TRUNCATE, and every UPDATE that names a sealed column."""

    name = "sealed"
    level = pgtrigger.Statement
    operation = pgtrigger.Delete | pgtrigger.Truncate
    func = "RAISE EXCEPTION '% on % is refused: its rows are facts', TG_OP, TG_TABLE_NAME;"

    def __init__(self, unsealed: Sequence[str]) -> None:
        super().__init__()
        self.unsealed = unsealed

    def arguments(self, model: Any) -> dict[str, str]:
        """As every guard's, with UPDATE of the model's sealed columns."""
        columns = ", ".join(f'"{column}"' for column in sealed_columns(model, self.unsealed))
        return super().arguments(model) | {"operation": f"{self.operation} OR UPDATE OF {columns}"}


def removal(columns: Sequence[str]) -> Guard:
    """The trigger by which a text of a fact that people wrote freely can be removed, and nothing
    else: it may tell somebody's name. Of these columns every one that changes is empty then."""
    kept = " OR ".join(
        f"(NEW.{column} <> OLD.{column} AND NEW.{column} <> '')" for column in columns
    )
    return Guard(
        name="removal",
        operation=pgtrigger.Update,
        func=f"""
            IF {kept} THEN
                RAISE EXCEPTION 'a text of a fact can only be removed';
            END IF;
            RETURN NEW;
        """,
    )


class Fact(models.Model):
    """The base of models whose rows are facts.

    `unsealed` names the fields that the service may change all the same; a `Guard` of the model
    says how.

    `unproven` names the sealed fields that no entry of the log and no digest covers, each with the
    reason. If the owner of the database changes such a field, no verification can tell. No result
    may rest on one."""

    unsealed: ClassVar[tuple[str, ...]] = ()
    unproven: ClassVar[Mapping[str, str]] = MappingProxyType({})

    class Meta:
        abstract = True


@receiver(class_prepared)
def seal(sender: type[models.Model], **kwargs: Any) -> None:
    """Put the seal before every model of facts; none has to remember it."""
    if issubclass(sender, Fact) and not sender._meta.proxy:
        names = {field.name for field in sender._meta.concrete_fields}
        assert set(sender.unsealed) <= names
        assert set(sender.unproven) <= names - set(sender.unsealed)
        pgtrigger.register(Sealed(sender.unsealed))(sender)
