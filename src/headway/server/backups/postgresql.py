"""Backups of a PostgreSQL database, made with PostgreSQL's own programs."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from headway.errors import InputError
from headway.server.backups.sqlite import Progress
from headway.server.core.database import FILE_MODE, open_engine
from headway.server.core.migrations import check_version

_VERSION = re.compile(r"\(PostgreSQL\) (\d+)")
_TABLE_DATA = re.compile(r" TABLE DATA \S+ (\S+)")


def back_up(address: str, target: Path, on_progress: Progress) -> None:
    """Writes the database into a file, as it is at this moment, while servers write."""
    server, tables, _ = asyncio.run(_look_at(address))
    _check_program("pg_dump", server)
    command = ["pg_dump", "--format=custom", "--no-owner", "--no-privileges", "--verbose"]
    private = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE)
    with os.fdopen(private, "wb") as file:
        _run([*command, *_database(address)], address, file, len(tables), on_progress)
    tables_of(target)


def restore(address: str, backup: Path, aside: Path, on_progress: Progress) -> bool:
    """Puts a backup in the place of a database whose content is backed up to `aside` before.

    Returns whether there was content. Refuses while somebody else uses the database. All of it is
    one transaction: if anything fails, the database stays as it was.
    """
    for program in ("pg_restore", "psql"):
        _check_program(program, 0)
    tables = tables_of(backup)
    check_version(_version_of(backup))
    old = _unused_tables(address)
    if old:
        back_up(address, aside, lambda done, total: None)
    _replace(address, backup, old, len(tables), on_progress)
    return bool(old)


def _unused_tables(address: str) -> list[str]:
    """Returns the tables of a database that nobody else uses; gives a server time to go."""
    for pause in (0.1, 0.5, 1, 2, 0):
        _, tables, others = asyncio.run(_look_at(address))
        if not others:
            return tables
        time.sleep(pause)
    raise InputError("backup.connections", n=others)


def has_content(address: str) -> bool:
    """Tells whether a database has tables."""
    return bool(asyncio.run(_look_at(address))[1])


def tables_of(backup: Path) -> list[str]:
    """Returns the tables in a backup; refuses a file that is not Headway's, or not complete."""
    listed = _output(["pg_restore", "--list", str(backup)], backup)
    tables = _TABLE_DATA.findall(listed)
    if "alembic_version" not in tables:
        raise InputError("backup.not_one", file=backup)
    return tables


def _version_of(backup: Path) -> str:
    command = ["pg_restore", "--data-only", "--table=alembic_version", "--file=-", str(backup)]
    rows = re.search(r"^COPY .*\n(\S+)$", _output(command, backup), re.M)
    return rows[1] if rows else ""


def _replace(
    address: str, backup: Path, old: Sequence[str], tables: int, on_progress: Progress
) -> None:
    """Replaces all tables in one transaction, which ends well only if the whole backup was read."""
    quiet = ["psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", "--output=/dev/null"]
    script = ["pg_restore", "--no-owner", "--no-privileges", "--verbose", "--file=-", str(backup)]
    with subprocess.Popen(
        [*quiet, *_database(address)],
        env=_environment(address),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    ) as psql:
        assert psql.stdin
        assert psql.stderr
        failure: Exception | None = None
        try:
            names = ", ".join('"{}"'.format(name.replace('"', '""')) for name in old)
            drop = f"DROP TABLE {names} CASCADE;" if old else ""
            psql.stdin.write(f"BEGIN;\n{drop}\n".encode())
            psql.stdin.flush()
            _run(script, address, psql.stdin, tables, on_progress)
            psql.stdin.write(b"SELECT 1 / count(*) FROM public.alembic_version;\nCOMMIT;\n")
            psql.stdin.close()
        except (BrokenPipeError, InputError) as error:
            failure = error  # without its COMMIT, PostgreSQL undoes everything
        except BaseException:
            psql.kill()
            raise
        with contextlib.suppress(BrokenPipeError):
            psql.stdin.close()
        complaint = psql.stderr.read().decode(errors="replace")
    if psql.returncode:
        raise InputError("backup.failed", program="psql", reason=_first_line(complaint))
    if failure:
        raise failure


async def _look_at(address: str) -> tuple[int, list[str], int]:
    """Returns the server's major version, its tables, and how many others are connected."""
    engine = open_engine(address, patient=True)
    try:
        async with engine.connect() as connection:
            version = await connection.scalar(text("SHOW server_version_num"))
            query = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
            tables = (await connection.scalars(text(query))).all()
            query = (
                "SELECT count(*) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                " AND backend_type = 'client backend'"
            )
            others = await connection.scalar(text(query))
    except (SQLAlchemyError, OSError) as error:
        reason = _first_line(str(error))
        raise InputError("server.database", reason=reason) from None
    finally:
        await engine.dispose()
    return int(version) // 10_000, list(tables), int(others or 0)


def _check_program(program: str, server: int) -> None:
    """Refuses if a program is missing, or too old for the server."""
    if shutil.which(program) is None:
        raise InputError("backup.no_program", program=program)
    answer = subprocess.run([program, "--version"], capture_output=True, text=True)
    version = _VERSION.search(answer.stdout)
    if version and int(version[1]) < server:
        raise InputError("backup.old_program", program=program, version=version[1], server=server)


def _database(address: str) -> list[str]:
    """Returns the argument that names the database, without its password: everybody can read it."""
    url = make_url(address).set(drivername="postgresql", password=None)
    return [f"--dbname={url.render_as_string(hide_password=False)}"]


def _environment(address: str) -> dict[str, str]:
    """Returns the variables of a program: the password, and English messages."""
    password = make_url(address).password
    return os.environ | {"LC_ALL": "C"} | ({"PGPASSWORD": str(password)} if password else {})


def _output(command: list[str], backup: Path) -> str:
    done = subprocess.run(command, capture_output=True, env=os.environ | {"LC_ALL": "C"})
    if done.returncode:
        reason = _first_line(done.stderr.decode(errors="replace"))
        raise InputError("backup.damaged", file=backup, reason=reason)
    return done.stdout.decode(errors="replace")


def _run(
    command: list[str], address: str, output: IO[bytes], tables: int, on_progress: Progress
) -> None:
    """Runs a program that writes into a file; its messages tell how many tables it has written."""
    done, last = 0, ""
    with subprocess.Popen(
        command, env=_environment(address), stdout=output, stderr=subprocess.PIPE
    ) as program:
        assert program.stderr
        try:
            for line in program.stderr:
                message = line.decode(errors="replace")
                if re.search("dumping contents of table|processing data for table", message):
                    done += 1
                    on_progress(done, tables)
                elif "error:" in message:
                    last = last or message
        except BaseException:
            program.kill()
            raise
    if program.returncode:
        raise InputError("backup.failed", program=command[0], reason=_first_line(last))


def _first_line(message: str) -> str:
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    return lines[0] if lines else "?"
