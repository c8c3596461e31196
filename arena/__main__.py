"""`python -m arena` is the command `arena`."""

from arena.cli import main

main()
