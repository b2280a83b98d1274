"""Moves what a store holds into a file and into another store; docs/reference/export-format.md describes the file."""

from sameish.stores.transfer.exporting import Exported as Exported
from sameish.stores.transfer.exporting import export_store as export_store
from sameish.stores.transfer.importing import import_store as import_store
from sameish.stores.transfer.importing import open_export as open_export
from sameish.stores.transfer.receiving import Imported as Imported
