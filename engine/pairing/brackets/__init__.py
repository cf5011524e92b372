"""Knock-outs: the plan of a bracket, its rounds, its file, and the reasons for places."""
