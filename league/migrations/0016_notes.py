"""What a season writes down of its games, and how those are separated who share the last place that goes on.

Seasons of before write down what their scoring needs, and their knock-outs go by the order of seats, as they did. Logs
say once more what stands, as these columns are in none of them.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0015_helpers_and_fees")]

    operations = [
        migrations.AddField(
            "season",
            "notes",
            models.CharField(
                choices=[
                    ("places", "who finished where"),
                    ("points", "the points, too: dice as they leave, or what the sheets say"),
                    ("rounds", "every round"),
                ],
                default="places",
                max_length=8,
                verbose_name="what you write down",
            ),
        ),
        migrations.RunSQL(
            "UPDATE league_season SET notes = 'points' FROM league_ranking ranking"
            " WHERE ranking.id = ranking_id AND ranking.scoring <> 'placement'",
            migrations.RunSQL.noop,
        ),
        migrations.AddField("stage", "separation", models.CharField(default="", max_length=8)),
        migrations.AlterField(
            "stage",
            "separation",
            models.CharField(
                blank=True,
                choices=[("lots", "by lots"), ("game", "by another game")],
                default="lots",
                max_length=8,
            ),
        ),
        migrations.RunSQL("UPDATE league_loghead SET stated = FALSE", migrations.RunSQL.noop),
    ]
