"""The material of Cincinnati, whose rules are in `arena.games.cincinnati`: hands, cards, words."""
