"""Data sets: many games as Parquet and JSON lines, with all that is needed to replay them.

A folder has, for each game and month, the same games twice: `parquet/game=…/year=…/month=…` and
`jsonl/…`. Beside them are the maps, a card, Croissant's description and the hashes of all files.
"""
