"""Protocol v1 in a few lines, for the rogues that are programs of their own."""

import json
import os


def send(message):
    os.write(1, json.dumps(message).encode() + b"\n")


def messages():
    """What the arena says, its hello answered."""
    rest = b""
    while data := os.read(0, 65536):
        *lines, rest = (rest + data).split(b"\n")
        for message in map(json.loads, lines):
            if message["type"] == "hello":
                send({"type": "hello", "protocol": "1.0", "name": "rogue", "games": []})
            else:
                yield message


def play(decide):
    """Be honest but for decisions."""
    for message in messages():
        if message["type"] == "decide":
            decide(message)
        elif message["type"] == "finish":
            send({"type": "finish", "match": message["match"]})


def answer(message, **changes):
    """An honest answer, but for the changes."""
    action = message["view"]["legal"][0]
    honest = {"match": message["match"], "number": message["number"], "action": action}
    send({"type": "action"} | honest | changes)
