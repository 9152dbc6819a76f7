"""`python -m loci import mem0 export.json --org acme --project travel-agent`"""

from __future__ import annotations

import argparse
import json
import os
import sys
from typing import Any

from ._client import Loci
from ._errors import LociError
from ._importing import SOURCES, import_into, read_export


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m loci", description="Long-term memory for agents.")
    commands = parser.add_subparsers(dest="command", required=True)
    importing = commands.add_parser("import", help="adds what another memory has exported")
    importing.add_argument("source", choices=SOURCES)
    importing.add_argument("file", help="its export, as JSON; - is the standard input")
    importing.add_argument("--org", required=True)
    importing.add_argument("--project", required=True)
    importing.add_argument("--url", default="http://127.0.0.1:8080", help="of Loci; its key is in LOCI_API_KEY")
    importing.add_argument("--preview", action="store_true", help="only says what would be added")
    given = parser.parse_args()
    try:
        with sys.stdin if given.file == "-" else open(given.file, encoding="utf-8") as file:
            export = _json(file.read(), given.file)
        if given.preview:
            messages, skipped = read_export(given.source, export)
            print(f"Would add {len(messages)} messages, and skip {skipped} entries.")
            return 0
        loci = Loci(given.url, api_key=os.environ.get("LOCI_API_KEY"))
        done = import_into(loci.memory(org=given.org, project=given.project), given.source, export)
    except (LociError, OSError, ValueError, TypeError) as error:
        print(error, file=sys.stderr)
        return 1
    there = f"; {done.existing} were there already" if done.existing else ""
    print(f"Added {done.added} messages{there}, and skipped {done.skipped} entries.")
    return 0


def _json(text: str, name: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"{name} is not JSON: {error}") from error


if __name__ == "__main__":
    sys.exit(main())
