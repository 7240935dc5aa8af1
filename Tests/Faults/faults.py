#!/usr/bin/env python3
"""Plants the faults of faults.json, one at a time, and says which of them the tests find.

    Tests/Faults/faults.py [--work FOLDER [--built]] [NUMBER]…

Builds the committed sources once, in a copy: each fault is beside the code that it replaces, and an environment variable chooses one.
Then runs the suites of each fault, which must fail. Exits with 1 if a suite fails without a fault, or if no test finds a fault.
FOLDER keeps the copy, which --built uses again as it is. Takes about half an hour, building included.
"""
import argparse
import atexit
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CHOICE = "PLANTED_FAULT"
SWIFT = """import Glibc

/// Number of the planted fault, or 0.
let planted = getenv("%s").flatMap { Int(String(cString: $0)) } ?? 0
""" % CHOICE
SECONDS = 200


def faults():
    """The faults by number, counted from 1."""
    return dict(enumerate(json.loads((HERE / "faults.json").read_text()), start=1))


def plant(folder, number, fault, is_switched):
    """Replaces a fault's code, or puts the fault beside the code if an environment variable is to choose."""
    path = folder / fault["file"]
    text, code = path.read_text(), fault["code"]
    if text.count(code) != 1:
        sys.exit(f"fault {number}: {fault['file']} contains the code {text.count(code)} times, and must once: {code}")
    faulty = fault["fault"]
    if is_switched:
        is_statement = fault.get("statement", False)
        faulty = f"if planted == {number} {{ {faulty} }} else {{ {code} }}" if is_statement else f"(planted == {number} ? ({faulty}) : ({code}))"
    path.write_text(text.replace(code, faulty))


def is_swift(fault):
    return fault["file"].endswith(".swift")


def prepare(work):
    """Makes the copy with all faults of Swift code, and builds its tests."""
    if not (work / ".git").exists():
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(work)], check=True)
    subprocess.run(["git", "fetch", "--quiet", str(ROOT), "HEAD"], cwd=work, check=True)
    subprocess.run(["git", "reset", "--quiet", "--hard", "FETCH_HEAD"], cwd=work, check=True)
    for number, fault in faults().items():
        if is_swift(fault):
            plant(work, number, fault, is_switched=True)
            room = work.joinpath(*pathlib.Path(fault["file"]).parts[:2])
            (room / "Planted.swift").write_text(SWIFT)
    # A media worker gets only the variables that it needs.
    process = work / "Sources/Media/Workers/WorkerProcess.swift"
    process.write_text(process.read_text().replace('["LD_LIBRARY_PATH", "TZ"]', f'["LD_LIBRARY_PATH", "TZ", "{CHOICE}"]'))
    subprocess.run(["swift", "build", "-c", "release", "--build-tests"], cwd=work, check=True, stdout=sys.stderr)


def run(work, number, fault):
    """Runs a fault's suites. Returns the status, and a line about the first failure."""
    if is_swift(fault):
        binary = work / ".build/release/lookaheadPackageTests.xctest"
        # The sandbox's tests know each variable of a worker's environment, and here is one more.
        command = [binary, "--testing-library", "swift-testing", "--no-parallel", "--skip", "SandboxTests", "--filter", rf"^({fault['suites']})[./]"]
    else:
        command = ["node", "--test"]
    folder = work / "Tests/PageTests" if command[0] == "node" else work
    try:
        ended = subprocess.run(
            command, cwd=folder, env={**os.environ, CHOICE: str(number), "NO_COLOR": "1"}, timeout=SECONDS, text=True, errors="replace",
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired:
        return -1, f"ran longer than {SECONDS} s"
    found = re.search(r"✘ Test (.*?) (?:recorded|failed)|✖ (.*)|^not ok \d+ - (.*)|(Fatal error.*)", ended.stdout, re.M)
    return ended.returncode, next((text for text in found.groups() if text), "") if found else f"status {ended.returncode}"


def main():
    parser = argparse.ArgumentParser(prog="faults.py")
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--built", action="store_true")
    parser.add_argument("numbers", nargs="*", type=int)
    options = parser.parse_args()
    work = options.work or pathlib.Path(tempfile.mkdtemp())
    if not options.work:
        atexit.register(shutil.rmtree, work, ignore_errors=True)
    if not options.built:
        prepare(work)
    chosen = {number: fault for number, fault in faults().items() if number in options.numbers or not options.numbers}
    unfound = []

    def try_fault(number):
        fault = chosen[number]
        began = time.monotonic()
        if not is_swift(fault):
            plant(work, number, fault, is_switched=False)
        status, line = run(work, number, fault)
        if not is_swift(fault):
            subprocess.run(["git", "checkout", "--quiet", fault["file"]], cwd=work, check=True)
        if status == 0:
            unfound.append(number)
        found = "NOT FOUND" if status == 0 else "found by " + line
        print(f"{number:3} {fault['file'].split('/')[1]:12} {fault['says']}: {found} ({time.monotonic() - began:.0f} s)", flush=True)

    suites = sorted({fault["suites"] for fault in chosen.values() if is_swift(fault)})
    # Two at the same time, because most tests wait. A script's fault is in a file that all tests of scripts read.
    with concurrent.futures.ThreadPoolExecutor(2) as two:
        statuses = list(two.map(lambda name: run(work, 0, {"file": ".swift", "suites": name})[0], suites))
        list(two.map(try_fault, [number for number in chosen if is_swift(chosen[number])]))
    for number in [number for number in chosen if not is_swift(chosen[number])]:
        try_fault(number)
    broken = [name for name, status in zip(suites, statuses) if status != 0]
    for name in broken:
        print(f"fails without a fault: {name}")
    print(f"{len(chosen) - len(unfound)} of {len(chosen)} faults found" + (f", not {sorted(unfound)}" if unfound else ""))
    sys.exit(1 if broken or unfound else 0)


if __name__ == "__main__":
    main()
