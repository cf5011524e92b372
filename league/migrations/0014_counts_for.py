"""For whom each seat counts in a ranking, and the public id by which rows stand that share a rank.

Until now all seats counted for who sat there: rankings with guests or substitutes are counted anew, once, as soon as
this is done.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0013_voided")]

    operations = [
        migrations.AddField(
            "appearance",
            "counts_for",
            models.ForeignKey(
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="league.player",
            ),
        ),
        migrations.RunSQL("UPDATE league_appearance SET counts_for_id = player_id", migrations.RunSQL.noop),
        migrations.AddIndex(
            "appearance", models.Index(fields=["counts_for", "ranking"], name="appearances_counting")
        ),
        migrations.AddField(
            "standing",
            "public_id",
            models.CharField(db_collation="C", default="", max_length=10),
            preserve_default=False,
        ),
        migrations.RunSQL(
            "UPDATE league_standing SET public_id = player.public_id FROM league_player player"
            " WHERE player.id = player_id",
            migrations.RunSQL.noop,
        ),
        migrations.RemoveIndex("standing", name="standing_by_key"),
        migrations.AddIndex(
            "standing", models.Index(fields=["ranking", "-key", "public_id"], name="standing_by_key")
        ),
        migrations.AddField("ranking", "seats_counted", models.BooleanField(default=False, editable=False)),
        migrations.AlterField("ranking", "seats_counted", models.BooleanField(default=True, editable=False)),
    ]
