"""Pages that join areas: home, manual, replay, health; the addresses of pages and API."""
