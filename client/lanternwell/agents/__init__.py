"""Example agents, to play against and to read."""

from lanternwell.agents.heuristic_agent import HeuristicAgent
from lanternwell.agents.llm_agent import LanguageModelAgent
from lanternwell.agents.random_agent import RandomAgent

__all__ = ["HeuristicAgent", "LanguageModelAgent", "RandomAgent"]
