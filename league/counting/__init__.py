"""All that events bring a season: best of, points for each event, divisions."""
