"""Who meets whom: draws for tables of any size, explained and repeatable."""
