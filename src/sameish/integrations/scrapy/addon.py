"""The add-on: what it sets."""

from __future__ import annotations

from scrapy.settings import BaseSettings
from scrapy.utils.misc import load_object

_HERE = "sameish.integrations.scrapy"
_DOWNLOADER = {
    # bodies are inflated and redirects are followed there, and retries see the answer after
    f"{_HERE}.downloader.DownloaderMiddleware": 560,
    # Scrapy's own, which follows them, is at 600
    f"{_HERE}.downloader.RedirectMiddleware": 610,
}
_SPIDER = {
    # the callback and all other spider middlewares are inside: what one of them raises is seen
    f"{_HERE}.spider.SpiderMiddleware": 10,
    # nothing is between this one and the callback: it sees what others mend or hide
    f"{_HERE}.spider.CallbackMiddleware": 100_000,
}


class SameishAddon:
    """Switches sameish on in a Scrapy project. It leaves the project's own settings, filter and cache alone."""

    def update_settings(self, settings: BaseSettings) -> None:
        """Put the middlewares in their places, unless the project puts them elsewhere."""
        for name, middlewares in (("DOWNLOADER_MIDDLEWARES", _DOWNLOADER), ("SPIDER_MIDDLEWARES", _SPIDER)):
            for path, place in middlewares.items():
                settings.setdefault_in_component_priority_dict(name, load_object(path), place)
