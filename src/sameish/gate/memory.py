"""What the gate remembers of a site, as it stands in the store."""

from __future__ import annotations

import msgspec

from sameish.gate.damage import DamagedState, warn
from sameish.revisit.trust import HostTrust
from sameish.urls.rules import SiteRules
from sameish.urls.traps import TrapFamilies

_VERSION = 1
_MOST_HOSTS = 64
_EVERYTHING = frozenset({"damaged"})
"""In the place of aspects that are not known any more: every page may be in a class that nothing speaks for."""


class SiteMemory(msgspec.Struct, frozen=True):
    """Rules with their evidence, the truthfulness of each host, and the families of URLs that may be traps."""

    version: int = _VERSION
    rules: SiteRules = SiteRules()
    hosts: dict[str, HostTrust] = {}
    traps: TrapFamilies = TrapFamilies()
    shared_etags: frozenset[str] = frozenset()
    """Hosts that were seen to send one ETag for different contents: another URL's ETag is not asked for there."""
    own_etags: frozenset[str] = frozenset()
    """Hosts that were seen to make an ETag for each URL: another URL's ETag says nothing there."""
    unsettled: frozenset[str] = frozenset()
    """Aspects whose rules act otherwise than when the pages that hold them were put in their classes in the store."""

    def host(self, name: str) -> HostTrust:
        """Return what is known of a host."""
        return self.hosts.get(name) or HostTrust()

    def with_rules(self, rules: SiteRules) -> SiteMemory:
        """Return this with other rules; itself if they are the same object."""
        return self if rules is self.rules else msgspec.structs.replace(self, rules=rules)

    def with_unsettled(self, aspects: frozenset[str]) -> SiteMemory:
        """Return this with more aspects whose pages are to be put in other classes."""
        return msgspec.structs.replace(self, unsettled=self.unsettled | aspects) if aspects else self

    def with_shared_etags(self, host: str) -> SiteMemory:
        """Return this with one more host that sends one ETag for different contents; itself if that is known or too much."""
        if host in self.shared_etags or len(self.shared_etags) >= _MOST_HOSTS:
            return self
        return msgspec.structs.replace(self, shared_etags=self.shared_etags | {host})

    def with_own_etags(self, host: str) -> SiteMemory:
        """Return this with one more host that makes an ETag for each URL; itself if that is known or too much."""
        if host in self.own_etags or len(self.own_etags) >= _MOST_HOSTS:
            return self
        return msgspec.structs.replace(self, own_etags=self.own_etags | {host})

    def with_host(self, name: str, trust: HostTrust) -> SiteMemory:
        """Return this with other knowledge of a host; of more than 64 hosts the one changed longest ago is forgotten."""
        if self.hosts.get(name) == trust:
            return self
        hosts = {other: known for other, known in self.hosts.items() if other != name}
        kept = dict(list(hosts.items())[-_MOST_HOSTS + 1 :])
        return msgspec.structs.replace(self, hosts={**kept, name: trust})


class _Version(msgspec.Struct):
    version: int


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(SiteMemory)
_VERSION_ONLY = msgspec.msgpack.Decoder(_Version)


def encode(memory: SiteMemory) -> bytes:
    """Return the memory as bytes."""
    return _ENCODER.encode(memory)


def decode(state: bytes) -> SiteMemory:
    """Return the memory; an empty one where another version wrote it, since all of it can be learned again.

    Raises:
        DamagedState: the bytes are damaged.
    """
    try:
        return _DECODER.decode(state) if _VERSION_ONLY.decode(state).version == _VERSION else SiteMemory()
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise DamagedState(str(error)) from error


def recall(site: str, state: bytes) -> SiteMemory:
    """Return the memory of a site, with a warning an empty one where it is damaged, which says that no class can be relied on."""
    try:
        return decode(state)
    except DamagedState:
        warn(f"the URLs of {site}", "they are learned anew")
        return SiteMemory(unsettled=_EVERYTHING)
