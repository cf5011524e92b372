"""Lügen-Kniffel: combinations, rolls, score sheets and the table, by the rulings K0 to K13."""
