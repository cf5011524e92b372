"""What all pages and API answers share: errors, problem details, pages of lists, request ids."""
