"""A function that lets the service, whose role owns no table, analyse those that it has filled.

It analyses the tables of which a tenth has changed since the last time, and more than a thousand
rows; PostgreSQL would do that by itself within minutes. It leaves out a table that somebody else is
analysing, and changes no row."""

from django.db import migrations

FUNCTION = """
CREATE FUNCTION analyse_changed_tables() RETURNS void LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    changed record;
BEGIN
    FOR changed IN
        SELECT stats.schemaname, stats.relname
        FROM pg_stat_user_tables stats
        JOIN pg_class class ON class.oid = stats.relid
        WHERE stats.schemaname = 'public'
            AND stats.n_mod_since_analyze > greatest(1000, class.reltuples / 10)
        ORDER BY stats.relname
    LOOP
        EXECUTE format('ANALYZE (SKIP_LOCKED) %I.%I', changed.schemaname, changed.relname);
    END LOOP;
END
$$
"""


class Migration(migrations.Migration):
    dependencies = [("league", "0070_part_host_ids")]

    operations = [migrations.RunSQL(FUNCTION, "DROP FUNCTION analyse_changed_tables()")]
