"""`gwray annotate`: chooses judged episodes for people to label, and makes the page on which they do."""
