from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("league", "0043_account_names")]

    operations = [
        migrations.AddField("ranking", "ties_averaged", models.BooleanField(default=False, editable=False)),
        migrations.AlterField("ranking", "ties_averaged", models.BooleanField(default=True, editable=False)),
    ]
