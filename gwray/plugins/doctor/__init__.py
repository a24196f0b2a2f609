"""`gwray doctor`: checks this machine for what gwray needs and prints the fix of each problem."""
