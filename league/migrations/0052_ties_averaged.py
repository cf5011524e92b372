from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0040_smaller_seats")]

    operations = [
        migrations.AddField("ranking", "ties_averaged", models.BooleanField(default=False, editable=False)),
        migrations.AlterField("ranking", "ties_averaged", models.BooleanField(default=True, editable=False)),
    ]
