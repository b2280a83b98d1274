"""When to come again, and what to ask: schedules, validators, and whether a host tells the truth.

Two functions are the way in: `sameish.revisit.before.before_fetch` and `sameish.revisit.after.after_fetch`. All is value in,
value out; times are POSIX seconds, UTC.
"""
