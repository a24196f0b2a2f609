"""Servers of the Model Context Protocol: games that any MCP client can play, and gwray's agents as tools. Needs
`pip install gwray[mcp]`."""
