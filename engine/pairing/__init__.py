"""Draws for tables of any size, knock-outs and timetables, explained and repeatable."""
