"""`python -m engine VERB …`: one module for each verb."""
