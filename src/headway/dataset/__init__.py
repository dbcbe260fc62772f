"""Data sets: many games as Parquet, with all that is needed to replay them.

A folder has a file for each game and month, `parquet/game=…/year=…/month=…`. Beside them are the
maps, a card, Croissant's description and the hashes of all files.
"""
