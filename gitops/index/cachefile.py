"""Opening `cache.sqlite3`: a file that may be deleted, damaged, full or unwritable without any command failing.

One file holds the cached values (`cache.py`), the link graphs (`graph.py`) and the terms (`terms.py`). Text is
stored as UTF-8 bytes with surrogates let through, for git's file names need not be UTF-8.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from gitops.errors import AssayError
from gitops.index.faults import is_damage, told
from gitops.index.place import begun, taken, throw_away

SCHEMA_VERSION = 1
"""Counts every change of any table below; another number in the file throws the file away."""
APPLICATION_ID = 0x61737332
"""'ass2' in the file's header."""
BUSY_S = 30.0
PAGES_KIB = 16 * 1024
WAL_LEFT_BYTES = 16 * 1024 * 1024
AGAIN = "run the same command again: the cache is made anew"

TABLES = (
    """CREATE TABLE entries (
      id INTEGER PRIMARY KEY, kind TEXT NOT NULL, version TEXT NOT NULL, key BLOB NOT NULL,
      used INTEGER NOT NULL, size INTEGER NOT NULL, value BLOB NOT NULL, UNIQUE (kind, version, key)
    )""",
    "CREATE INDEX entries_by_use ON entries(used, id, size)",
    """CREATE TABLE kept (
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, workspace TEXT NOT NULL,
      version TEXT NOT NULL, tree TEXT, UNIQUE (name, workspace)
    )""",
    "CREATE TABLE texts (id INTEGER PRIMARY KEY, kept INTEGER NOT NULL, text BLOB NOT NULL, UNIQUE (kept, text))",
    """CREATE TABLE pages (
      id INTEGER PRIMARY KEY, kept INTEGER NOT NULL, path BLOB NOT NULL, blob TEXT NOT NULL, UNIQUE (kept, path)
    )""",
    "CREATE TABLE names (key INTEGER, page INTEGER, PRIMARY KEY (key, page)) WITHOUT ROWID",
    "CREATE INDEX names_by_page ON names(page)",
    """CREATE TABLE links (
      page INTEGER, place INTEGER, kind INTEGER, target INTEGER, key INTEGER, PRIMARY KEY (page, place)
    ) WITHOUT ROWID""",
    "CREATE INDEX links_by_key ON links(key)",
    "CREATE TABLE cites (source INTEGER, page INTEGER, PRIMARY KEY (source, page)) WITHOUT ROWID",
    "CREATE INDEX cites_by_page ON cites(page)",
    """CREATE TABLE documents (
      id INTEGER PRIMARY KEY AUTOINCREMENT, kept INTEGER NOT NULL, path BLOB NOT NULL, blob TEXT NOT NULL,
      words BLOB NOT NULL, UNIQUE (kept, path)
    )""",
)


def open_cache(path: Path, *, busy_s: float = BUSY_S) -> tuple[sqlite3.Connection, str]:
    """A connection to the cache, and a notice ('' when all is well).

    A damaged file, or one of another schema version, is thrown away and made new; where no file can be had the
    cache lives in memory and ends with the command.
    """
    notice = ""
    for _ in range(2):
        try:
            with taken(path):
                if trouble := _trouble(path):
                    throw_away(path)
                    notice = notice or trouble
                return _made(_connect(str(begun(path)), busy_s)), notice
        except (sqlite3.Error, OSError, AssayError) as error:
            if is_damage(error):
                discard(path)
                notice = f"{path} was damaged and has been made anew"
                continue
            return open_memory(), in_memory(error, path)
    return open_memory(), f"{path} is damaged again as soon as it is made; working without it"


def open_memory() -> sqlite3.Connection:
    """A cache of the same shape that ends with its connection."""
    return _made(_connect(":memory:", 0))


def open_reading(path: Path) -> sqlite3.Connection:
    """A connection that reads the cache and never writes it; to an empty one where there is none to be read."""
    try:
        conn = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", timeout=0, isolation_level=None, check_same_thread=False, uri=True
        )
    except sqlite3.Error:  # no file yet, or none that may be read
        return open_memory()
    try:
        if (_pragma(conn, "application_id"), _pragma(conn, "user_version")) == (APPLICATION_ID, SCHEMA_VERSION):
            return conn
    except sqlite3.Error:  # damaged: whoever may write makes it anew
        pass
    conn.close()
    return open_memory()


def in_memory(error: Exception, path: Path) -> str:
    """The notice for a command that goes on without the file."""
    failure = error if isinstance(error, AssayError) else told(error, path, AGAIN)
    return f"{failure.message}; going on without the cache, which is slower ({failure.hint})"


def discard(path: Path) -> None:
    """Throw the file away; the next to open it makes a new one. A place that does not let go of it is left."""
    try:
        with taken(path):
            throw_away(path)
    except (OSError, AssayError):
        return  # opening it will fail in the same way, and that is told


def encoded(text: str) -> bytes:
    """Text as it is stored."""
    return text.encode("utf-8", "surrogatepass")


def decoded(data: bytes) -> str:
    """Text as it was given."""
    return data.decode("utf-8", "surrogatepass")


def _connect(name: str, busy_s: float) -> sqlite3.Connection:
    return sqlite3.connect(name, timeout=busy_s, isolation_level=None, check_same_thread=False)


def _made(conn: sqlite3.Connection) -> sqlite3.Connection:
    try:
        conn.execute("PRAGMA journal_mode = WAL")
        # NORMAL, not OFF: a cut of power may lose what was cached last, but must not leave a wrong answer behind.
        conn.execute("PRAGMA synchronous = NORMAL")
        conn.execute("PRAGMA temp_store = MEMORY")
        conn.execute(f"PRAGMA cache_size = -{PAGES_KIB}")
        conn.execute(f"PRAGMA journal_size_limit = {WAL_LEFT_BYTES}")
        if _pragma(conn, "user_version") != SCHEMA_VERSION:
            conn.execute("BEGIN IMMEDIATE")
            for statement in TABLES:
                conn.execute(statement)
            conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            conn.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
            conn.execute("COMMIT")
    except BaseException:
        conn.close()
        raise
    return conn


def _trouble(path: Path) -> str:
    """Why the file cannot be used as it is; '' also for one that is not there or empty."""
    if not path.exists():
        return ""
    conn = _connect(str(path), BUSY_S)
    try:
        tables = conn.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        ours = _pragma(conn, "application_id") == APPLICATION_ID
        version = _pragma(conn, "user_version")
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            return f"{path} was damaged ({error}) and has been made anew"
        raise
    finally:
        conn.close()
    if not ours:
        return f"{path} was another program's database and has been made anew" if tables or version else ""
    return "" if version == SCHEMA_VERSION else f"{path} was of another version of git-assay and has been made anew"


def _pragma(conn: sqlite3.Connection, name: str) -> int:
    return int(conn.execute(f"PRAGMA {name}").fetchone()[0])
