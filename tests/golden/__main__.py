"""Write the golden playthroughs anew: `python -m tests.golden [GAME …]`."""

import sys

from tests.golden.playthrough import path_of, playthrough
from tests.play import variants

for variant in variants(*sys.argv[1:]):
    path_of(variant).write_text(playthrough(variant))
    print(path_of(variant).name)
