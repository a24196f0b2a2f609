"""Servers of the Model Context Protocol: games that any MCP client can play, and gwray's agents as tools. Needs
`pip install gwray[mcp]`. Servers that choose actions (`agent=mcp`) are in `gwray.agents.clients.mcp_server`."""

from gwray.mcp.agent import AgentSession, agent_server
from gwray.mcp.episodes import GameSession
from gwray.mcp.game import game_server
from gwray.mcp.serving import HttpSettings, serve_http, serve_stdio
