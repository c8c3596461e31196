"""Takes its time before it says hello."""

import time

time.sleep(600)
