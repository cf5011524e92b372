"""Players are sorted and found by keys that the database computes from their names."""

import django.contrib.postgres.indexes
import league.core.frame.name_key
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ("league", "0045_adjusted"),
    ]

    operations = [
        migrations.RemoveIndex(model_name='player', name='player_by_words'),
        migrations.AlterModelOptions(
            name='player',
            options={'ordering': ['name_key'], 'verbose_name': 'player', 'verbose_name_plural': 'players'},
        ),
        migrations.AddField(
            model_name='player',
            name='name_key',
            field=models.GeneratedField(db_persist=True, expression=league.core.frame.name_key.NameKey('name'), output_field=models.TextField(db_collation='C')),
        ),
        migrations.AddField(
            model_name='player',
            name='search_text',
            field=models.GeneratedField(db_persist=True, expression=league.core.frame.name_key.Folded('name', 'handle'), output_field=models.TextField(db_collation='C')),
        ),
        migrations.AddIndex(
            model_name='player',
            index=django.contrib.postgres.indexes.GinIndex(league.core.frame.name_key.FoldedWords('search_text'), fastupdate=False, name='player_by_search_words'),
        ),
    ]
