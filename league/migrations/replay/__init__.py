"""The replay by which logs said what rows hold before their entries stated it (version 0.2): frozen, as it was then.

Migration 0047 alone uses it, once for each club's log from before, on the models as they were at that migration.
Nothing else may import it, and nothing in it follows the code of today.
"""
