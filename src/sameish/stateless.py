"""What can be said of pages without a store: extract, fingerprint, compare.

Settings for one site hold for the pages of that site, here as in a `Detector`.
"""

from __future__ import annotations

from sameish.fingerprint.schemes import SchemeName, fingerprint_of, scheme_of
from sameish.judging.compare import compare_fingerprints
from sameish.models import Comparison, Extract, Fingerprint, Page
from sameish.reading.extract import ReadPage, read
from sameish.settings import Settings, SettingsLike, load


def extract(page: Page, settings: SettingsLike = None) -> Extract:
    """Return what a page says, without what stands around it.

    Args:
        page: what the server answered.
        settings: a `Settings` object, a mapping or a TOML file.

    Raises:
        ReadingError: the body is over the limit or does not decompress.
        SettingsError: a setting is wrong.
    """
    return _read(page, load(settings), with_markdown=True).extract


def fingerprint(page: Page, scheme: SchemeName | None = None, settings: SettingsLike = None) -> Fingerprint:
    """Return what is kept of a page's content.

    Args:
        page: a page; without content its fingerprint says so and has no simhash.
        scheme: `text` or `classic`; None takes the one from the settings.
        settings: a `Settings` object, a mapping or a TOML file.

    Raises:
        ReadingError: the body is over the limit or does not decompress.
        SettingsError: a setting, or the name of the scheme, is wrong.
    """
    options = load(settings)
    full_name = scheme_of(scheme or options.fingerprint.scheme, options)
    return fingerprint_of(_read(page, options, with_markdown=False), full_name)


def compare(a: Page | Fingerprint, b: Page | Fingerprint, settings: SettingsLike = None) -> Comparison:
    """Say how two pages relate, from the pages or from their fingerprints. Symmetric.

    Where both are pages of one site, the thresholds of that site hold.

    Raises:
        ReadingError: a page cannot be read.
        SettingsError: a setting is wrong.
    """
    options = load(settings)
    first, second = (one if isinstance(one, Fingerprint) else fingerprint(one, settings=options) for one in (a, b))
    sites = {_site_of(one, options) for one in (a, b) if isinstance(one, Page)}
    judging = options.for_site(sites.pop()).judging if len(sites) == 1 else options.judging
    return compare_fingerprints(first, second, judging)


def _read(page: Page, options: Settings, *, with_markdown: bool) -> ReadPage:
    # what is no page is refused by `read`
    site = _site_of(page, options) if isinstance(page, Page) else ""
    there = options.for_site(site)
    return read(page, there.reading, there.weights, with_markdown=with_markdown)


def _site_of(page: Page, options: Settings) -> str:
    """Return the site of a page, "" where no setting asks for it."""
    if not options.site:
        return ""
    from sameish.urls.site import site_of  # noqa: PLC0415  # most settings are for all sites

    return site_of(page.url)
