"""`gwray onboard`: makes a game of a page that was not written for gwray, and prints its report card."""
