"""The rules of a site that act now, in a form that is quick to apply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sameish.urls.anatomy import Anatomy, assemble, dissect
from sameish.urls.aspects import host_steps, is_of_path, query_values, selection, values_of, without
from sameish.urls.path_aspects import path_parameters, path_variants, reduced_path, without_parameters
from sameish.urls.rule_states import standing
from sameish.urls.rules import AspectEvidence, SiteRules, stored_value
from sameish.urls.shapes import shape_of_path
from sameish.urls.standings import DEFAULT, Limits, Standing

_PATH_ONLY = frozenset({"path"})


@dataclass(frozen=True, slots=True)
class Acting:
    """The rules of one site that act. Equal for equal rules, whatever evidence they rest on; build with `acting`."""

    standings: Mapping[str, Standing] = field(default_factory=dict)
    """Of the aspects with a rule that acts somewhere."""
    queries: Mapping[str, Standing] = field(default_factory=dict, compare=False)
    """The same by name, of query parameters."""
    kinds: frozenset[str] = field(default=frozenset(), compare=False)
    read: Mapping[str, tuple[AspectEvidence, Standing]] = field(default_factory=dict, compare=False, repr=False)
    """All aspects with the evidence that was read, so that it need not be read again."""

    def class_key(self, key: str) -> tuple[str, tuple[str, ...]]:
        """Return a canonical key reduced by all rules that act on it, and these rules, sorted.

        Equal class keys: the same page, by all that was learned. Idempotent.
        """
        parts = dissect(key) if self.standings else None
        if parts is None:
            return key, ()
        quick = self._quick(parts)
        if quick is not None:
            reduced, used = quick
            return (assemble(reduced), used) if used else (key, ())
        held, plain = self._held(parts)
        if not held:
            return key, ()
        chosen = self._agreed_on(parts, held, plain=plain)
        if not chosen:
            return key, ()
        return assemble(without(parts, selection(chosen))), tuple(sorted(chosen))

    def same_by(self, key: str, other: str) -> tuple[str, tuple[str, ...]]:
        """Return the class key of a key, and the rules, sorted, that make it the same as another one of that class.

        Rules whose value both keys have in common are not among them: fetching one beside the other tests them not.
        """
        reduced, used = self.class_key(key)
        either = {*used, *self.class_key(other)[1]}
        here, there = values_of(key), values_of(other)
        # what comes to light only when something else is taken away is in neither
        told = (rule for rule in either if (aspect := aspect_of(rule)) not in here or here[aspect] != there.get(aspect))
        return reduced, tuple(sorted(told)) or used

    def differing(self, other: Acting) -> frozenset[str]:
        """Return the aspects whose rules act otherwise there: only keys that hold one of them may have another class key."""
        either = self.standings.keys() | other.standings.keys()
        return frozenset(one for one in either if self.standings.get(one) != other.standings.get(one))

    def _quick(self, parts: Anatomy) -> tuple[Anatomy, tuple[str, ...]] | None:
        """Return what nearly all keys come to: each rule that has to do with a key acts on it. None if it is not so."""
        if not self.kinds <= _PATH_ONLY:
            return None
        path = parts.path
        used: list[str] = []
        kept: list[str] = []
        if self.kinds:
            path = self._shortened(path, used)
        for piece in parts.pieces:
            name, equals, value = piece.partition("=")
            rule = self.queries.get(name) if equals else self.standings.get(f"bare:{piece}")
            if rule is None:
                kept.append(piece)
                continue
            if rule.values is not None and stored_value(value) not in rule.values:
                return None
            used.append(f"query:{name}" if equals else f"bare:{piece}")
        shape, plain = shape_of_path(path), not kept
        for name in used:
            if not _covers(self.standings[name], name, shape, plain=plain):
                return None
        if len(used) > 1:
            if len(set(used)) < len(used):
                return None
            used.sort()
        return parts._replace(path=path, pieces=tuple(kept)) if used else parts, tuple(used)

    def _held(self, parts: Anatomy) -> tuple[dict[str, Standing], bool]:
        """Return the rules whose aspect (and value) a key holds, and whether nothing of its query would be left."""
        held: dict[str, Standing] = {}
        plain = True
        if parts.pieces:
            plain = self._held_in_query(parts.pieces, held)
        if not self.kinds:
            return held, plain
        found: list[tuple[str, str]] = []
        if "path" in self.kinds:
            of_path: list[str] = []
            self._shortened(parts.path, of_path)
            found += [(aspect, "") for aspect in of_path]
        if "path_param" in self.kinds:
            found += [(f"path_param:{name}", value) for name, value in path_parameters(parts.path).items()]
        if "host" in self.kinds:
            found += [(aspect, "") for aspect, _ in host_steps(parts.host)]
        if parts.scheme == "http:" and not parts.port:  # beside a port of its own the scheme stays
            found.append(("scheme", ""))
        for aspect, value in found:
            rule = self.standings.get(aspect)
            if rule is not None and (rule.values is None or stored_value(value) in rule.values):
                held[aspect] = rule
        return held, plain

    def _held_in_query(self, pieces: tuple[str, ...], held: dict[str, Standing]) -> bool:
        plain = True
        for piece in pieces:
            if "=" not in piece:
                rule = self.standings.get(f"bare:{piece}")
                if rule is None:
                    plain = False
                else:
                    held[f"bare:{piece}"] = rule
        for name, value in query_values(pieces).items():
            rule = self.queries.get(name)
            if rule is None:
                plain = False
                continue
            stored = stored_value(value)
            if rule.general and (rule.values is None or stored in rule.values):
                held[f"query:{name}"] = rule
            elif value in rule.single:
                held[f"query:{name}={value}"] = rule
            else:
                plain = False
        return plain

    def _shortened(self, path: str, used: list[str]) -> str:
        """Return a path reduced by all rules about paths, and add to `used` what came to light on the way."""
        while True:
            for aspect, shorter in path_variants(path):
                if aspect in self.standings:
                    used.append(aspect)
                    path = shorter
                    break
            else:
                return path

    def _agreed_on(self, parts: Anatomy, held: dict[str, Standing], *, plain: bool) -> frozenset[str]:
        """Return the rules that act on the shape that they all leave; fewer rules leave another shape."""
        chosen = frozenset(held)
        while chosen:
            shape = shape_of_path(_reduced(parts.path, chosen))
            fit = frozenset(one for one in chosen if _covers(held[one], one, shape, plain=plain))
            if fit == chosen:
                return chosen
            plain = plain and not any(one.startswith(("query:", "bare:")) for one in chosen - fit)
            chosen = fit
        return chosen


def acting(rules: SiteRules, limits: Limits = DEFAULT, before: Acting | None = None) -> Acting:
    """Return the rules of a site that act.

    Args:
        rules: of the site.
        limits: what a rule must show.
        before: what acted with an earlier state of these rules and the same limits: saves reading what is unchanged.
    """
    known = {} if before is None else before.read
    read: dict[str, tuple[AspectEvidence, Standing]] = {}
    for aspect, evidence in rules.aspects.items():
        earlier = known.get(aspect)
        read[aspect] = earlier if earlier and earlier[0] is evidence else (evidence, standing(aspect, evidence, limits))
    standings = {aspect: _on_site(state, rules) for aspect, (_, state) in read.items() if state}
    queries = {aspect[len("query:") :]: state for aspect, state in standings.items() if aspect.startswith("query:")}
    kinds = frozenset(_kind(aspect) for aspect in standings if not aspect.startswith(("query:", "bare:")))
    return Acting(standings, queries, kinds, read)


def aspect_of(rule: str) -> str:
    """Return the aspect of a rule: `query:page` of `query:page=1`."""
    return rule.partition("=")[0] if rule.startswith("query:") else rule


def _kind(aspect: str) -> str:
    return "path" if is_of_path(aspect) else aspect.partition(":")[0]


def _reduced(path: str, chosen: frozenset[str]) -> str:
    by_kind = selection(chosen)
    if by_kind.path_params:
        path = without_parameters(path, by_kind.path_params)
    return reduced_path(path, by_kind.path) if by_kind.path else path


def _on_site(state: Standing, rules: SiteRules) -> Standing:
    general = state.general.on_site(rules.plain)
    return state if general is state.general else replace(state, general=general)


def _covers(rule: Standing, name: str, shape: str, *, plain: bool) -> bool:
    if name.startswith("query:") and "=" in name:
        return rule.single[name.partition("=")[2]].covers(shape, plain=plain)
    # one program in front of all others takes away what is of the path; parameters are read by each for itself
    return rule.general.covers(shape, plain=plain or not name.startswith(("query:", "bare:", "path_param:")))
