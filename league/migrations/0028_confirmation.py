"""Events say who confirms what was written at a table, and whether players enter results alone."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('league', '0027_photos'),
    ]

    operations = [
        migrations.AddField(
            model_name='event',
            name='confirmation',
            field=models.CharField(choices=[('alone', 'whoever writes it down, alone'), ('seat', 'somebody else at the table, on another phone or signed in'), ('arbiter', 'an arbiter or organiser')], default='alone', max_length=8, verbose_name='who confirms a game that is written down'),
        ),
        migrations.AddField(
            model_name='event',
            name='players_enter',
            field=models.BooleanField(default=True, verbose_name='players may enter the result of their table alone'),
        ),
    ]
