#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Looks at reports and their schema with nothing of bootmark's own: check_report.py CHECK FILE..."""
import copy
import json
import sys
import unicodedata

import jsonschema


def load(path):
    """JSON without the leniencies of Python's reader: no NaN, no key twice."""
    def once(pairs):
        keys = [key for key, _ in pairs]
        assert len(keys) == len(set(keys)), f"{path}: a key stands twice among {keys}"
        return dict(pairs)

    def no_constant(name):
        raise AssertionError(f"{path}: {name} is no JSON")

    with open(path, encoding="utf-8", errors="strict") as file:
        return json.load(file, object_pairs_hook=once, parse_constant=no_constant)


def validator(path):
    return jsonschema.Draft202012Validator(load(path))


def schema(path):
    """The schema is valid itself, and every object in it is closed."""
    text = load(path)
    jsonschema.Draft202012Validator.check_schema(text)
    assert text["$schema"] == "https://json-schema.org/draft/2020-12/schema"

    def walk(node, where):
        if isinstance(node, dict):
            if node.get("type") == "object":
                assert node.get("additionalProperties") is False, f"{where} is open"
                assert node.get("description"), f"{where} is not explained"
            for key, value in node.items():
                walk(value, f"{where}/{key}")
        elif isinstance(node, list):
            for i, value in enumerate(node):
                walk(value, f"{where}/{i}")
    walk(text, "#")


def complete(path, *reports):
    """Every property of the schema stands in at least one of the reports."""
    text = load(path)
    seen = set()

    def walk(rule, values, where):
        while "$ref" in rule:
            where = rule["$ref"]
            rule = text["$defs"][where.rsplit("/", 1)[1]]
        for key, inner in rule.get("properties", {}).items():
            found = [v[key] for v in values if isinstance(v, dict) and key in v]
            if found:
                seen.add(f"{where}/{key}")
            wanted.add(f"{where}/{key}")
            walk(inner, found, f"{where}/{key}")
        if isinstance(rule.get("items"), dict):
            walk(rule["items"], [i for v in values for i in v], where + "[]")
    wanted = set()
    walk(text, [load(r) for r in reports], "#")
    assert len(wanted) > 150, "the walk is broken"
    assert not wanted - seen, f"in the schema only: {sorted(wanted - seen)}"


def valid(path, report):
    errors = [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}"
              for e in validator(path).iter_errors(load(report))]
    assert not errors, "\n".join(errors)


def refuses(path, report):
    """One change at a time to a good report, each of which the schema must see."""
    check = validator(path)
    good = load(report)
    assert check.is_valid(good)

    def change(what, make):
        bad = copy.deepcopy(good)
        make(bad)
        assert not check.is_valid(bad), f"accepted: {what}"

    change("an unknown key", lambda r: r.update(colour=1))
    change("an unknown key deep inside", lambda r: r["results"][0]["io"]["latency"].update(p50=1))
    change("no id", lambda r: r["run"].pop("id"))
    change("an id that is none", lambda r: r["run"].update(id="../../etc/passwd"))
    change("null", lambda r: r["machine"].update(serial=None))
    change("an empty text", lambda r: r["machine"].update(serial=""))
    change("a negative size", lambda r: r["disks"][0].update(size_bytes=-1))
    change("a size in a text", lambda r: r["disks"][0].update(size_bytes="5"))
    change("a fraction of a byte", lambda r: r["disks"][0].update(size_bytes=0.5))
    change("an unknown reason", lambda r: r["disks"][0].update(skip="bored"))
    change("an unknown unit", lambda r: r["results"][0]["metrics"][0].update(unit="MB"))
    change("a metric without a value", lambda r: r["results"][0]["metrics"][0].pop("value"))
    change("a bucket of three", lambda r: r["results"][0]["io"]["latency"].update(buckets=[[1, 2, 3]]))
    change("another schema", lambda r: r.update(schema="bootmark/2"))


def text(path):
    """Valid UTF-8 of printable characters; no line wider than 80 columns by Unicode's own tables."""
    with open(path, "rb") as file:
        lines = file.read().decode("utf-8", "strict").split("\n")
    assert lines[-1] == "" and len(lines) > 10
    for line in lines:
        width = 0
        for c in line:
            assert unicodedata.category(c) not in ("Cc", "Cf", "Zl", "Zp", "Cs"), f"{c!r} in {line!r}"
            width += 0 if unicodedata.combining(c) else \
                2 if unicodedata.east_asian_width(c) in "WF" else 1
        assert width <= 80, f"{width} columns: {line!r}"
        assert line == line.rstrip(), f"blanks at the end of {line!r}"


if __name__ == "__main__":
    {f.__name__: f for f in (schema, complete, valid, refuses, text)}[sys.argv[1]](*sys.argv[2:])
