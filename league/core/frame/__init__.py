"""The frame of every page and every API answer: errors, problem details, pages of lists, request
ids."""
