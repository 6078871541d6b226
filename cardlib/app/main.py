"""The command line: ``cardlib serve``, ``cardlib lab``, ``cardlib check FILE…`` and ``cardlib check-text``.

Each command imports what it needs when it runs, so that ``cardlib check`` does not wait for a web server to load. A
mistake of the user's is one sentence on stderr and exit code 2, never a traceback.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from cardlib import __version__


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; the exit code is 0 when all is well, 1 when checks fail, 2 when something cannot be done."""
    args = _parser().parse_args(argv)
    try:
        code: int = args.run(args)
    except (OSError, ValueError) as problem:
        print(f"cardlib: {_sentence(problem)}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="cardlib", description="Card games, taught rule by rule.")
    parser.add_argument("--version", action="version", version=f"cardlib {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")

    serve = commands.add_parser("serve", help="open the games as pages in a browser", allow_abbrev=False)
    serve.add_argument("--port", type=_port, default=8866, help="the port to listen on (default 8866)")
    serve.add_argument("--ip", default="127.0.0.1", help="the address to listen on; 0.0.0.0 lets a whole class in")
    serve.add_argument("--base-url", default="/", help="the path of the site behind a proxy (default /)")
    serve.add_argument("--max-visitors", type=_count, default=100, help="pages open at once, 0 for no limit (100)")
    serve.add_argument("--idle", type=_count, default=20, help="minutes after which an unused page is closed (20)")
    serve.add_argument("--render-limit", type=_count, default=60, help="seconds a page may take to start (60)")
    serve.add_argument("--notebooks", type=Path, help="a folder of other notebooks to show")
    serve.add_argument("--open", action=argparse.BooleanOptionalAction, default=False, help="open a browser as well")
    serve.add_argument("--no-browser", action="store_false", dest="open", help="the same as --no-open")
    serve.add_argument("--verbose", action="store_true", help="log every request")
    serve.set_defaults(run=_serve)

    lab = commands.add_parser("lab", help="open the notebooks in JupyterLab", allow_abbrev=False)
    lab.add_argument("folder", nargs="?", type=Path, default=Path("cardlib-notebooks"), help="where your copies live")
    lab.add_argument("--port", type=_port, default=8888, help="the port to listen on (default 8888)")
    lab.add_argument("--open", action=argparse.BooleanOptionalAction, default=True, help="open a browser as well")
    lab.add_argument("--no-browser", action="store_false", dest="open", help="the same as --no-open")
    lab.add_argument("--reset", action="store_true", help="put the original notebooks back and keep yours beside them")
    lab.set_defaults(run=_lab)

    check = commands.add_parser("check", help="run files of checks against the engine", allow_abbrev=False)
    check.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a file with one check a line (JSON)")
    check.set_defaults(run=_check)

    text = commands.add_parser("check-text", help="look for rules, options and messages without a text")
    text.set_defaults(run=_check_text)
    return parser


def _serve(args: argparse.Namespace) -> int:
    from cardlib.app.serve import Settings, serve

    return serve(
        Settings(
            port=args.port,
            ip=args.ip,
            base_url=args.base_url,
            max_visitors=args.max_visitors,
            idle_minutes=args.idle,
            render_seconds=args.render_limit,
            notebooks=args.notebooks,
            open_browser=args.open,
            verbose=args.verbose,
        )
    )


def _lab(args: argparse.Namespace) -> int:
    from cardlib.app.lab import lab

    return lab(args.folder, port=args.port, open_browser=args.open, reset=args.reset)


def _check(args: argparse.Namespace) -> int:
    """Every file is run, also after one that fails or cannot be read; the worst result is the exit code."""
    return max(_check_file(path) for path in args.files)


def _check_file(path: Path) -> int:
    from cardlib.record import read_checks, run_check

    try:
        checks = list(read_checks(path))
    except (OSError, ValueError) as problem:
        said = _sentence(problem)
        print(f"cardlib: {said}" if str(path) in said else f"cardlib: {path}: {said}", file=sys.stderr)
        return 2
    held = 0
    for check in checks:
        failures = run_check(check)
        held += not failures
        for failure in failures:
            print(f"{check.get('id', '?')}: {failure}")
    print(f"{path.name}: {held} of {len(checks)} hold")
    return 0 if held == len(checks) else 1


def _check_text(args: argparse.Namespace) -> int:
    from cardlib.app.check_text import problems

    found = list(problems())
    for problem in found:
        print(problem)
    print("check-text: " + (f"{len(found)} to mend" if found else "nothing missing"))
    return 1 if found else 0


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65536:
        raise argparse.ArgumentTypeError(f"{text!r} is no port: a number from 1 to 65535")
    return int(text)


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    return int(text)


def _sentence(problem: Exception) -> str:
    """What went wrong, without the class of the exception."""
    if isinstance(problem, OSError) and problem.strerror:
        return f"{problem.strerror}: {problem.filename}" if problem.filename else problem.strerror
    return str(problem) or type(problem).__name__


if __name__ == "__main__":
    sys.exit(main())
