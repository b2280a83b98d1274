"""What was learned elsewhere, checked before it is taken over: it must be what a gate can read back."""

from __future__ import annotations

from sameish.gate import memory, schedules
from sameish.revisit.dates import moment
from sameish.stores.transfer.lines import Line, SiteLine, VisitLine


def check_learned(line: Line) -> None:
    """Check the line of an export for the states that stores keep without looking into them.

    Raises:
        ValueError: the state of its site, or of its visit, is none.
    """
    try:
        match line:
            case SiteLine():
                what = f"the site {line.site!r:.200}"
                memory.decode(line.state)
            case VisitLine() if line.state:
                what = f"the visit {line.key_hash:.16}"
                moment(
                    schedules.decode(line.state).due_at
                )  # a time so early that there is no date for it is refused, too
    except (OverflowError, ValueError, OSError) as error:
        raise ValueError(f"the state of {what} is damaged ({error})") from error
