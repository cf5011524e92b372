"""Which logs tell all that rows hold: those of clubs that are there by now say it once, as soon as this is done.

And letters that have ended forget their subjects, too.
"""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0010_committed_reasons")]

    operations = [
        migrations.AddField("loghead", "stated", models.BooleanField(default=False)),
        migrations.RunSQL("UPDATE league_letter SET subject = '' WHERE state <> 'waiting'", migrations.RunSQL.noop),
    ]
