"""Facts: rows that are written once. The service can add them and can't change them.

Two barriers ensure that. The service's database role lacks the right (`league.up.roles` reads what
a model says here), and a trigger refuses changes by everybody, so that the owner doesn't make them
by mistake either.
"""

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
    """Return the columns of a model of facts that nobody may change: the columns of all fields but
    its unsealed ones."""
    return [
        str(field.column) for field in model._meta.concrete_fields if field.name not in unsealed
    ]


class GuardSql(compiler.UpsertTriggerSql):
    """SQL of a trigger that ignores session settings, and whose tables can't be shadowed by others.

    pgtrigger's own SQL reads `pgtrigger.ignore`, which every role may set, and looks tables up
    along the session's path.
    """

    def get_template(self) -> str:
        """Return the statements, with a placeholder for each argument."""
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
    """A trigger that no setting switches off: the base of all triggers that protect facts."""

    when = pgtrigger.Before

    def compile(self, model: Any) -> compiler.Trigger:
        """Return the trigger as migrations keep it, for a current or a historical model."""
        return compiler.Trigger(name=self.name, sql=GuardSql(**self.arguments(model)))

    def arguments(self, model: Any) -> dict[str, str]:
        """Return the values for the placeholders of `GuardSql`."""
        return super().compile(model).sql.kwargs


class Sealed(Guard):
    """A trigger that refuses DELETE, TRUNCATE, and every UPDATE of a sealed column."""

    name = "sealed"
    level = pgtrigger.Statement
    operation = pgtrigger.Delete | pgtrigger.Truncate
    func = "RAISE EXCEPTION '% on % is refused: its rows are facts', TG_OP, TG_TABLE_NAME;"

    def __init__(self, unsealed: Sequence[str]) -> None:
        super().__init__()
        self.unsealed = unsealed

    def arguments(self, model: Any) -> dict[str, str]:
        """Return a guard's arguments, with UPDATE of the model's sealed columns as an operation."""
        columns = ", ".join(f'"{column}"' for column in sealed_columns(model, self.unsealed))
        return super().arguments(model) | {"operation": f"{self.operation} OR UPDATE OF {columns}"}


def removal(columns: Sequence[str]) -> Guard:
    """Return a trigger that lets free texts of a fact only be removed, as they may contain a name.

    `columns`: of the texts; each may only change to an empty text.
    """
    is_rewritten = " OR ".join(
        f"(NEW.{column} <> OLD.{column} AND NEW.{column} <> '')" for column in columns
    )
    return Guard(
        name="removal",
        operation=pgtrigger.Update,
        func=f"""
            IF {is_rewritten} THEN
                RAISE EXCEPTION 'a text of a fact can only be removed';
            END IF;
            RETURN NEW;
        """,
    )


class Fact(models.Model):
    """The base of models whose rows are facts.

    `unsealed` names the fields that the service may change all the same; a `Guard` of the model
    says how. `unproven` names the sealed fields that no entry of the log and no digest covers, each
    with the reason. If the owner of the database changes such a field, no verification can detect
    it. No result may depend on one.
    """

    unsealed: ClassVar[tuple[str, ...]] = ()
    unproven: ClassVar[Mapping[str, str]] = MappingProxyType({})

    class Meta:
        abstract = True


@receiver(class_prepared)
def seal(sender: type[models.Model], **kwargs: Any) -> None:
    """Register the trigger `Sealed` for every model of facts, so that none has to do it itself."""
    if issubclass(sender, Fact) and not sender._meta.proxy:
        names = {field.name for field in sender._meta.concrete_fields}
        assert set(sender.unsealed) <= names
        assert set(sender.unproven) <= names - set(sender.unsealed)
        pgtrigger.register(Sealed(sender.unsealed))(sender)
