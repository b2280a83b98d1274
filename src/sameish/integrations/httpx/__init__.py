"""httpx and httpx2: `httpx.Client(transport=SameishTransport(detector))`, and `AsyncSameishTransport` for their async clients.

Neither library is imported before it is used, and one of them is enough: `pip install "sameish[httpx]"` or
`"sameish[httpx2]"`.
"""

from sameish.integrations.httpx.asynchronous import AsyncSameishTransport
from sameish.integrations.httpx.door import NotFetched
from sameish.integrations.httpx.synchronous import SameishTransport

__all__ = ["AsyncSameishTransport", "NotFetched", "SameishTransport"]
