"""The rules of the games: pure functions, standard library only."""
