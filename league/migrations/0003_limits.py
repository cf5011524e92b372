from django.db import migrations, models
import django.core.validators


class Migration(migrations.Migration):

    dependencies = [
        ("league", "0002_rooms"),
    ]

    operations = [
        migrations.RemoveIndex(
            model_name='logentry',
            name='log_of_stages',
        ),
        migrations.AlterField(
            model_name='logentry',
            name='action',
            field=models.CharField(max_length=20),
        ),
        migrations.AddIndex(
            model_name='logentry',
            index=models.Index(condition=models.Q(('subject', ''), _negated=True), fields=['club', 'subject'], name='log_of_subject'),
        ),
        migrations.AlterField(
            model_name='club',
            name='about',
            field=models.TextField(blank=True, default='', max_length=4000, verbose_name='about'),
        ),
        migrations.AlterField(
            model_name='division',
            name='down',
            field=models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(50)], verbose_name='go down'),
        ),
        migrations.AlterField(
            model_name='division',
            name='up',
            field=models.PositiveSmallIntegerField(default=0, validators=[django.core.validators.MaxValueValidator(50)], verbose_name='go up'),
        ),
        migrations.AlterField(
            model_name='eventcounting',
            name='best',
            field=models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(200)], verbose_name='best events'),
        ),
        migrations.AlterField(
            model_name='stage',
            name='advance',
            field=models.PositiveSmallIntegerField(default=1, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(5)], verbose_name='go on from a table'),
        ),
        migrations.AlterField(
            model_name='stage',
            name='takes',
            field=models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1000)], verbose_name='come from each group'),
        ),
        migrations.AlterField(
            model_name='stageround',
            name='minutes',
            field=models.PositiveSmallIntegerField(blank=True, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(1440)], verbose_name='minutes'),
        ),
    ]
