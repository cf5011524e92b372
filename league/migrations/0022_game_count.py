"""How many games of a ranking are over and count, beside the ranking: no page counts them any more. And indexes for what
is rare among many rows: seats that count for somebody else, and events that aren't finished."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0021_ranks_looked_at")]

    operations = [
        migrations.AddField("ranking", "game_count", models.IntegerField(db_default=0, default=0, editable=False)),
        migrations.RunSQL(
            "UPDATE league_ranking SET game_count = games.number FROM ("
            " SELECT ranking_id, count(*) AS number FROM league_rankedgame WHERE over GROUP BY ranking_id"
            ") games WHERE games.ranking_id = league_ranking.id",
            migrations.RunSQL.noop,
        ),
        migrations.AddIndex(
            "appearance",
            models.Index(
                fields=["ranking"],
                name="appearances_for_others",
                condition=models.Q(counts_for=None) | ~models.Q(counts_for=models.F("player")),
            ),
        ),
        migrations.AddIndex(
            "event",
            models.Index(
                fields=["club", "starts_at"], name="events_unfinished", condition=~models.Q(status="finished")
            ),
        ),
    ]
