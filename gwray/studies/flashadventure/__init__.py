"""FlashAdventure: the agents COAST, Cradle and Agent S2, milestones and gaps between seeing and using clues, and the
judge of prior knowledge."""
