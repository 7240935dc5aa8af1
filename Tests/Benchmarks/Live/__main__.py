"""Tours of real input in headless Chromium, to Lookahead and to what people use. See live.sh."""
import argparse, itertools, json, pathlib, signal, sys, tempfile

import contenders
import nginx
import tour
from figures import figures
from keep import keep
from links import LINKS
from processors import ALL_CORES, PROCESSORS, machine
from programs import Certificate, build
from report import report
from run import VISITS, Run, Tools, measure
from verify import verify

# For the tables. Do not tune to them: the rules that a policy goes by are made on other tours.
SEEDS = [101, 102, 103, 104, 105]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="live.sh", description="Measures galleries in a real browser, as a hand scrolls.")
    parser.add_argument("--rounds", type=int, default=5, help="each with a tour of its own (default 5)")
    parser.add_argument("--link", action="append", choices=[*LINKS], help="may be repeated (default: all)")
    parser.add_argument(
        "--processor", action="append", choices=[*PROCESSORS],
        help="may be repeated (default: shared). " + "; ".join(f"{one.name}: {one.text}" for one in PROCESSORS.values()))
    parser.add_argument("--contenders", help=f"names with commas between (default: {','.join(contenders.ALL)})")
    parser.add_argument("--seeds", help="of the rounds' tours, numbers with commas between (default 101 and on)")
    parser.add_argument("--kinds", help="only these kinds of scroll, with commas between (default: all)")
    parser.add_argument(
        "--visit", choices=VISITS, default="first",
        help="second: the same tour was played before to the same server; folder: of files that the server has indexed")
    parser.add_argument("--format", choices=["text", "json", "markdown"], default="text")
    parser.add_argument("--keep", type=pathlib.Path, help="folder for the scrolls as traces, and measured.json")
    parser.add_argument("--tables", type=pathlib.Path, help="only print the tables of what was kept in this folder")
    parser.add_argument("--verify", action="store_true", help="compare what is claimed with screenshots; no figures")
    parser.add_argument("--brief", action="store_true", help="try it in seconds rather than measure")
    parser.add_argument("--lookahead", required=True, help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    options = arguments()
    # Ends what was started and removes the folder, as on Control-C.
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))
    if options.tables:
        print(report(json.loads((options.tables / "measured.json").read_text()), options.format))
        return
    names = options.contenders.split(",") if options.contenders else contenders.ALL
    if options.visit != "first" and not options.contenders:
        names = ["lookahead"]
    links = [LINKS[name] for name in options.link or LINKS]
    if options.brief:
        names, links, options.rounds = ["lookahead", "virtual-abort"], [LINKS["near"]], 1
    if unknown := set(names) - set(contenders.ALL):
        raise SystemExit(f"live.sh: unknown contender {', '.join(unknown)}; there are {', '.join(contenders.ALL)}")
    if not nginx.is_installed():
        print("nginx with image_filter is not installed; the peers are left out", file=sys.stderr)
        names = [name for name in names if name not in contenders.PEERS]
    if any(link.tls for link in links) and not contenders.can_trust():
        print("no other list of certificates can be given to a process here; links over TLS are left out", file=sys.stderr)
        links = [link for link in links if not link.tls]
    seeds = [int(seed) for seed in options.seeds.split(",")] if options.seeds else SEEDS
    processors = [PROCESSORS[name] for name in options.processor or ["shared"]]
    if any(one.is_split for one in processors) and len(ALL_CORES) < 2:
        raise SystemExit("live.sh: --processor split needs two cores")
    kinds = options.kinds.split(",") if options.kinds else None
    rows = []
    with tempfile.TemporaryDirectory(prefix="live-") as name:
        folder = pathlib.Path(name)
        tools = Tools(build("Origin", folder), build("Relay", folder), Certificate(folder), options.lookahead)
        for round in range(options.rounds):
            made = tour.make(seeds[round % len(seeds)] + round // len(seeds), kinds, options.brief)
            for link, processor in itertools.product(links, processors):
                # Neighbours in time have the same machine. Who goes first changes from round to round.
                for contender in names[round % len(names):] + names[:round % len(names)]:
                    if options.verify:
                        verify(contender, link, processor, made, tools)
                    else:
                        rows.append(_row(contender, link, processor, made, round, tools, options))
    if rows:
        print(report(rows, options.format))


def _row(contender: str, link, processor, made: tour.Tour, round: int, tools: Tools, options) -> dict:
    run: Run = measure(contender, link, processor, made, tools, visit=options.visit)
    run.round = round
    found = figures(run)
    print(
        f"{link.name}, {processor.name}, round {round + 1}, {contender}: blank {found['blank']:.3f}, slow blank {found['slowBlank']:.3f}, "
        f"grey {found['grey']:.4f}, not painted {found['waits']['all']['not painted']:.3f}, waste {found['waste']:.2f}, "
        f"main thread {found['mainThread']:.1f}", file=sys.stderr)
    if options.keep:
        keep(run, found, options.keep)
    return {
        "contender": contender, "link": link.name, "processor": processor.name, "machine": machine(), "round": round,
        "seed": made.seed, **found,
    }


main()
