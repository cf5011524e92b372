"""Records: files, uploads and API entries that become games, and the pages of a game and its
rounds."""
