"""Rounds that the job which draws them publishes, too."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0011_stated")]

    operations = [
        migrations.AddField("stageround", "at_once", models.BooleanField(default=False, editable=False)),
    ]
