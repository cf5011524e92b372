from typing import Any

from django.db import migrations, models


def forget_parts(apps: Any, schema_editor: Any) -> None:
    """Delete the heartbeats, which have no host's id: those of running parts come again."""
    apps.get_model("league", "Part").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("league", "0069_erasure_by_subject")]

    operations = [
        migrations.RunPython(forget_parts, migrations.RunPython.noop),
        migrations.AlterModelOptions(
            name="part", options={"ordering": ["host", "host_id", "name"]}
        ),
        migrations.RemoveConstraint(model_name="part", name="one_part_a_name_and_host"),
        migrations.AddField(
            model_name="part",
            name="host_id",
            field=models.CharField(default="", max_length=32),
            preserve_default=False,
        ),
        migrations.AddConstraint(
            model_name="part",
            constraint=models.UniqueConstraint(
                fields=("host_id", "name"), name="one_part_a_name_and_host_id"
            ),
        ),
    ]
