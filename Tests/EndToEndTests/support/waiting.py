"""Bounded waits: no test sleeps for a fixed time, none waits for ever."""

import time


def wait_until(condition, within: float = 10.0, what: str = "the condition", every: float = 0.02):
    """Calls `condition` until it gives something true, and gives that; fails after `within` seconds."""
    deadline = time.monotonic() + within
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() >= deadline:
            raise AssertionError(f"{what} did not come about within {within} s")
        time.sleep(every)


def next_second():
    """Waits until the clock shows another whole second: what is compared in seconds then differs."""
    now = int(time.time())
    wait_until(lambda: int(time.time()) > now, within=2, what="the next second")
