"""An audit goes in portions, and notes how far it has come; one that broke off before can't go on, and says so."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models.functions import Now


def audits_end(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """End the audits that broke off."""
    audits = apps.get_model("league", "Audit").objects.filter(ended_at=None)
    audits.update(ended_at=Now(), error="It broke off, and its version couldn't go on with it.")


class Migration(migrations.Migration):
    dependencies = [("league", "0023_rating_changes")]

    operations = [
        migrations.AddField("audit", "styles", models.BooleanField(db_default=True, default=True)),
        migrations.AddField("audit", "progress", models.JSONField(db_default={}, default=dict)),
        migrations.AddField("audit", "attempts", models.PositiveSmallIntegerField(db_default=0, default=0)),
        migrations.AddField("audit", "resumed", models.PositiveSmallIntegerField(db_default=0, default=0)),
        migrations.RunPython(audits_end, migrations.RunPython.noop),
    ]
