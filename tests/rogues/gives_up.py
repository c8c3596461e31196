"""Says that it cannot go on at all."""

import speak

speak.play(lambda message: speak.send({"type": "error", "message": "I am tired"}))
