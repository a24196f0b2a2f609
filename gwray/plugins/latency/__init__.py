"""`gwray latency`: measures how long models take to answer, as the first pass of a real-time study."""
