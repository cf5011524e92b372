"""The project package and the Django app of people, clubs, seasons, standings and ratings."""
