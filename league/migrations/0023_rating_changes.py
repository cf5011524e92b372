"""All that a game did to ratings stands in a row of its own, no longer in those of its seats."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0022_game_count")]

    operations = [
        migrations.CreateModel(
            name="RatingChange",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "ranking", "game", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "ranking",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rating_changes",
                        to="league.ranking",
                    ),
                ),
                (
                    "game",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rating_changes",
                        to="games.game",
                    ),
                ),
                (
                    "seats",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=django.contrib.postgres.fields.ArrayField(
                            base_field=models.FloatField(), size=4
                        ),
                    ),
                ),
            ],
        ),
        migrations.RunSQL(
            "INSERT INTO league_ratingchange (ranking_id, game_id, seats)"
            " SELECT ranking_id, game_id, array_agg(ARRAY[mu_before, sigma_before, mu, sigma] ORDER BY seat)"
            " FROM league_appearance WHERE mu IS NOT NULL GROUP BY ranking_id, game_id",
            migrations.RunSQL.noop,
        ),
        migrations.RemoveField("appearance", "mu_before"),
        migrations.RemoveField("appearance", "sigma_before"),
        migrations.RemoveField("appearance", "mu"),
        migrations.RemoveField("appearance", "sigma"),
    ]
