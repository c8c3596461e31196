"""Does not end its line."""

import json
import os

import speak


def decide(message):
    os.write(1, json.dumps({"type": "action", "match": message["match"]}).encode())


speak.play(decide)
