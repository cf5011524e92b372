"""A turn for each seat for which a table waits, where there was one for each table."""

import django.db.models.deletion
from django.db import migrations, models

COPY_TURNS = """
INSERT INTO league_seatturn
    (seat_id, table_id, length, begun_at, tell_at, remind_at, ends_at, told_at, reminded_at, next_at)
SELECT seat_id, table_id, length, begun_at, tell_at, remind_at, ends_at, told_at, reminded_at, next_at
FROM league_onlineturn
"""


class Migration(migrations.Migration):
    dependencies = [
        ("league", "0055_table_chat"),
    ]

    operations = [
        migrations.CreateModel(
            name="SeatTurn",
            fields=[
                (
                    "seat",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="turn",
                        serialize=False,
                        to="league.onlineseat",
                    ),
                ),
                ("length", models.PositiveIntegerField()),
                ("begun_at", models.DateTimeField()),
                ("tell_at", models.DateTimeField()),
                ("remind_at", models.DateTimeField()),
                ("ends_at", models.DateTimeField()),
                ("told_at", models.DateTimeField(null=True)),
                ("reminded_at", models.DateTimeField(null=True)),
                ("next_at", models.DateTimeField(db_index=True)),
                (
                    "table",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="turns",
                        to="league.onlinetable",
                    ),
                ),
            ],
        ),
        migrations.RunSQL(COPY_TURNS, migrations.RunSQL.noop),
        migrations.DeleteModel(name="OnlineTurn"),
        migrations.RenameModel(old_name="SeatTurn", new_name="OnlineTurn"),
        migrations.AddField(
            model_name="standingorder",
            name="points",
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AlterField(
            model_name="standingorder",
            name="bid",
            field=models.CharField(blank=True, default="", max_length=8),
        ),
        migrations.AlterField(
            model_name="standingorder",
            name="kind",
            field=models.CharField(
                choices=[
                    ("challenge", "challenge from this bid on"),
                    ("raise", "make this bid"),
                    ("believe", "believe up to these points"),
                ],
                max_length=16,
            ),
        ),
    ]
