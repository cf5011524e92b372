"""Timetables: times and places for the tables of an event."""
