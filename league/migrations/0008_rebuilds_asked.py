
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0007_letter_links'),
    ]

    operations = [
        migrations.AddField(
            model_name='ranking',
            name='rebuilds_asked',
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name='ranking',
            name='rebuilt_until',
            field=models.PositiveIntegerField(blank=True, editable=False, null=True),
        ),
    ]
