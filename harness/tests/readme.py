#!/usr/bin/env python3
"""readme.py - run what a document shows, and compare.

A fenced block whose info string is `LANGUAGE FILE` (```c bank.c) is a file to
write. A block ```console is a session: a line that begins with `$ ` is a command,
the lines up to the next one are what it prints on standard output and standard
error together. A line `...` in the output stands for any number of lines. Other
blocks are not looked at. Everything happens in one temporary folder, in order,
with the built commands on PATH; suites/modules lies there as in the source.

Two things may differ, so that not every change of the search changes a document:
how many executions there were, and the ids of verdicts (W85eb4), which must only
be used alike: an id of the document stands for the one that was seen in its place.

usage: readme.py [--update] DOCUMENT...
Prints `ok NAME` or `not ok NAME: why` a command. With --update the outputs in
the document are replaced by the real ones (those with `...` are kept)."""
import os
import re
import shutil
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```(.*)$")
ID = re.compile(r"\b[FW][0-9a-f]{5,}\b")
COUNT = re.compile(r"\b\d+(?= of \d+ executions| executions)|(?<= of )\d+(?= executions)")


def blocks(lines):
    """Yields (info, first line, line after the last) for each fenced block."""
    start, info = None, None
    for number, line in enumerate(lines):
        found = FENCE.match(line)
        if not found:
            continue
        if start is None:
            start, info = number + 1, found.group(1).strip()
        else:
            yield info, start, number
            start = None


def commands(lines):
    """Splits a session into [command, [output line]]."""
    session = []
    for line in lines:
        if line.startswith("$ "):
            session.append([line[2:], []])
        elif session:
            session[-1][1].append(line)
    for entry in session:
        while entry[1] and entry[1][-1] == "":
            entry[1].pop()
    return session


def plain(line):
    """A line without what may differ."""
    return COUNT.sub("N", ID.sub("ID", line))


def same(want, have, ids):
    """Do two lines say the same? Learns what the ids of the document stand for."""
    if plain(want) != plain(have):
        return False
    for theirs, real in zip(ID.findall(want), ID.findall(have)):
        if ids.setdefault(theirs, real) != real:
            return False
    return True


def matches(want, have, ids):
    """Line by line; `...` stands for any number of lines."""
    if not want:
        return not have
    if want[0] == "...":
        return any(matches(want[1:], have[i:], ids) for i in range(len(have) + 1))
    return bool(have) and same(want[0], have[0], ids) and matches(want[1:], have[1:], ids)


def run(command, folder):
    """Runs in the folder that the command before it left; returns lines and folder."""
    place = tempfile.NamedTemporaryFile()
    done = subprocess.run(["sh", "-c", command + "\npwd > " + place.name], cwd=folder,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=300)
    said = done.stdout.decode("utf-8", "replace").replace("\t", "        ").split("\n")
    while said and said[-1] == "":
        said.pop()
    left = open(place.name).read().strip()
    return [line.rstrip() for line in said], left or folder


def difference(want, have):
    """The first line that differs, for the message."""
    for i, line in enumerate(want):
        if line == "...":
            return "no line agrees with what follows '...'"
        if i >= len(have):
            return "line %d: wanted '%s', the output ended" % (i + 1, line)
        if plain(line) != plain(have[i]):
            return "line %d: wanted '%s', got '%s'" % (i + 1, line, have[i])
    return "more output than shown: '%s'" % have[len(want)] if len(have) > len(want) else "ids differ"


def document(path, update):
    lines = open(path).read().split("\n")
    out, at, bad, count = [], 0, 0, 0
    ids = {}
    with tempfile.TemporaryDirectory() as work:
        folder = work
        shutil.copytree("suites/modules", os.path.join(work, "suites/modules"))
        for info, start, end in blocks(lines):
            words = info.split()
            out += lines[at:start]
            at = start
            if len(words) == 2 and words[0] != "console":
                target = os.path.join(folder, words[1])
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(target, "w") as file:
                    file.write("\n".join(lines[start:end]) + "\n")
            if words[:1] != ["console"]:
                continue
            for command, want in commands(lines[start:end]):
                command = ID.sub(lambda found: ids.get(found.group(), found.group()), command)
                have, folder = run(command, folder)
                count += 1
                name = "%s: %s" % (os.path.basename(path), command)
                agrees = matches(want, have, ids)
                if agrees:
                    print("ok " + name)
                else:
                    bad += 1
                    print("not ok %s: %s" % (name, difference(want, have)))
                out.append("$ " + command)
                out += want if "..." in want and agrees else have
            at = end
    out += lines[at:]
    if update:
        with open(path, "w") as file:
            file.write("\n".join(out))
    return count, bad


def main(arguments):
    update = "--update" in arguments
    build = os.environ.get("BUILD", os.path.abspath("build"))
    os.environ["PATH"] = os.path.join(build, "bin") + ":" + os.environ["PATH"]
    os.environ.setdefault("UNITY", os.path.join(build, "unity"))
    os.environ.update(LC_ALL="C", TERM="dumb", COLUMNS="100", NO_COLOR="1")
    for name in ("HEDDLE_OPTIONS", "HEDDLE_CC", "HEDDLE_CXX", "MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
        os.environ.pop(name, None)
    failed = 0
    for path in arguments:
        if path == "--update":
            continue
        count, bad = document(path, update)
        failed += bad
        if count == 0:
            failed += 1
            print("not ok %s: shows no command" % path)
    return 1 if failed and not update else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
