"""Stages get a secret that is committed to; those that were begun before keep the seed that they have."""

import secrets

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

import league.stages.stage.models

EDITIONS = """
    UPDATE league_stageround round SET edition = counted.edition FROM (
        SELECT id, row_number() OVER (PARTITION BY stage_id, number ORDER BY id) AS edition FROM league_stageround
    ) counted WHERE counted.id = round.id AND counted.edition > 1
"""


def give(apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give each stage that never started a secret of its own, and each other one none."""
    stages = apps.get_model("league", "Stage").objects
    stages.update(secret="", seeding_seed=models.F("seed"))
    for stage in stages.filter(status="planned", group_set=None):
        stages.filter(pk=stage.pk).update(secret=secrets.token_hex(32), seed="", seeding_seed="")


class Migration(migrations.Migration):
    dependencies = [("league", "0008_rebuilds_asked")]

    operations = [
        migrations.AddField(
            "stage",
            "secret",
            models.CharField(blank=True, default=league.stages.stage.models.new_secret, editable=False, max_length=64),
        ),
        migrations.AddField(
            "stage", "seeding_seed", models.CharField(blank=True, default="", editable=False, max_length=64)
        ),
        migrations.AddField("stageround", "edition", models.PositiveSmallIntegerField(default=1, editable=False)),
        migrations.AlterField(
            "stage", "seed", models.CharField(blank=True, default="", editable=False, max_length=64)
        ),
        migrations.RunSQL(EDITIONS, migrations.RunSQL.noop),
        migrations.RunPython(give, migrations.RunPython.noop),
    ]
