"""Seats of counted games without the room that columns which are gone take in each row: a table keeps it for good, so
it is a new one."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

COLUMNS = "ranking_id, game_id, seat, player_id, counts_for_id, rank, points"


def seated(model: str, name: str = "appearances", *, null: bool = False) -> models.ForeignKey[Any, Any]:
    """A column of the table of seats that leads to another model."""
    return models.ForeignKey(
        db_index=False, null=null, on_delete=django.db.models.deletion.PROTECT, related_name=name, to=model
    )


class Migration(migrations.Migration):
    dependencies = [("games", "0003_void"), ("league", "0023_rating_changes")]

    operations = [
        migrations.CreateModel(
            name="LeanAppearance",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "ranking", "game", "seat", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("seat", models.PositiveSmallIntegerField()),
                ("rank", models.PositiveSmallIntegerField(null=True)),
                ("points", models.SmallIntegerField(null=True)),
                ("game", seated("games.game")),
                ("player", seated("league.player")),
                ("ranking", seated("league.ranking")),
                ("counts_for", seated("league.player", "+", null=True)),
            ],
        ),
        migrations.RunSQL(
            f"INSERT INTO league_leanappearance ({COLUMNS}) SELECT {COLUMNS} FROM league_appearance"
            " ORDER BY ranking_id, game_id, seat;"
            "SET CONSTRAINTS ALL IMMEDIATE",
            migrations.RunSQL.noop,
        ),
        migrations.DeleteModel("Appearance"),
        migrations.RenameModel("LeanAppearance", "Appearance"),
        migrations.RunSQL(
            "ALTER INDEX league_leanappearance_pkey RENAME TO league_appearance_pkey",
            "ALTER INDEX league_appearance_pkey RENAME TO league_leanappearance_pkey",
        ),
        migrations.AddIndex("appearance", models.Index(fields=["player", "ranking"], name="appearances_of_player")),
        migrations.AddIndex("appearance", models.Index(fields=["counts_for", "ranking"], name="appearances_counting")),
        migrations.AddIndex(
            "appearance",
            models.Index(
                condition=models.Q(counts_for=None) | ~models.Q(counts_for=models.F("player")),
                fields=["ranking"],
                name="appearances_for_others",
            ),
        ),
    ]
