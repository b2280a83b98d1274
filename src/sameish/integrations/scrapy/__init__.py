"""Scrapy: `ADDONS = {"sameish.integrations.scrapy.SameishAddon": 500}`, and nothing else."""

from sameish.integrations.scrapy.addon import SameishAddon

__all__ = ["SameishAddon"]
