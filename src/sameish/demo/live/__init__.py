"""The invented newspaper as four real servers, crawled over HTTP with and without sameish, and what each crawl cost and found.

The walk: `contents` (what there is to read, first and later) -> `addresses` (the URLs that lead there) -> `paper` (one request,
one answer) -> `honesty` (what it says in ETag and Last-Modified) -> `server` (HTTP, and a note of every request) -> `crawler`
(eight threads) with `plain` or `sparing` (how a URL is fetched without and with sameish) -> `rounds` (who crawls when) ->
`report` (the notes held against the truth) and `findings` (what sameish learned).
"""
