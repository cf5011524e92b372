import django.contrib.postgres.fields
import django.contrib.postgres.indexes
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0006_stated")]

    operations = [
        migrations.AddField(
            "entrybymail",
            "digests",
            django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(max_length=64), default=list, editable=False, size=None
            ),
            preserve_default=False,
        ),
        migrations.RunSQL("UPDATE league_entrybymail SET digests = ARRAY[digest]"),
        migrations.RemoveField("entrybymail", "digest"),
        migrations.AddIndex(
            "entrybymail",
            django.contrib.postgres.indexes.GinIndex(
                fastupdate=False, fields=["digests"], name="entry_by_mail_of_link"
            ),
        ),
    ]
