#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Reads the forms a report can have with parsers of its own and compares their numbers.

check_formats.py CHECK REPORT FILE: FILE is REPORT (report.json) in the form CHECK. What a form holds
must stand in the report, and every number of the report that the form is for must stand in it.
"""
import json
import math
import sys

ESCAPED = ",= "


def no_constant(name):
    raise AssertionError(f"{name} is no JSON")


def load(path):
    with open(path, encoding="utf-8", errors="strict") as file:
        return json.load(file, parse_constant=no_constant)


def close(a, b, what, tolerance=1e-9):
    assert math.isclose(a, b, rel_tol=tolerance, abs_tol=1e-9), f"{what}: {a} is not {b}"


def numbers(report):
    """Every number: (result or health, its index, name) -> value."""
    found = {}
    for i, result in enumerate(report["results"]):
        for metric in result.get("metrics", []):
            found["result", i, metric["name"]] = metric["value"]
    for i, health in enumerate(report.get("health", [])):
        for key, value in health.items():
            if isinstance(value, (int, float)):
                found["health", i, key] = float(value)
    return found


def places(report):
    """Rows in the order they are written: the results, then the health of disks."""
    for i, result in enumerate(report["results"]):
        yield ("result", i), result
    for i, health in enumerate(report.get("health", [])):
        yield ("health", i), health


def ndjson(report, path):
    want, seen = numbers(report), {}
    order, at = list(places(report)), -1
    left = 0
    with open(path, encoding="utf-8", errors="strict") as file:
        for line in file:
            row = json.loads(line, parse_constant=no_constant)
            assert row["run"] == report["run"]["id"]
            if left == 0:
                at += 1
                kind, thing = order[at][0][0], order[at][1]
                metrics = len(thing.get("metrics", [])) if kind == "result" else \
                    1 + sum(isinstance(v, (int, float)) for v in thing.values())
                left = max(1, metrics)
            left -= 1
            where, thing = order[at]
            assert row.get("target", "") == thing.get("target", "")
            if where[0] == "result":
                assert row["test"] == thing["test"] and row["status"] == thing["status"]
                for mark in thing.get("marks", []):
                    assert mark["word"] in row["marks"], "a mark is lost"
            if "metric" in row:
                assert row["unit"], "without a unit"
                seen[where + (row["metric"],)] = row["value"]
    assert at == len(order) - 1 and left == 0, "not every result has a row"
    compare(want, seen, "ndjson")


def compare(want, seen, form):
    assert set(want) == set(seen), f"{form}: {set(want) ^ set(seen)}"
    for key, value in want.items():
        close(seen[key], value, f"{form}: {key}")


def split(text, at):
    """Splits at a character that is neither escaped nor within quotes."""
    parts, part, quoted, i = [], "", False, 0
    while i < len(text):
        c = text[i]
        if c == "\\" and i + 1 < len(text):
            part += text[i:i + 2]
            i += 2
            continue
        if c == '"':
            quoted = not quoted
        if c == at and not quoted:
            parts.append(part)
            part = ""
        else:
            part += c
        i += 1
    assert not quoted, f"an open quote: {text}"
    return parts + [part]


def plain(text):
    for c in ESCAPED:
        text = text.replace("\\" + c, c)
    return text


def influx_line(line):
    parts = split(line, " ")
    assert len(parts) in (2, 3), line
    head, *tags = split(parts[0], ",")
    found = {}
    for pair in tags:
        key, value = split(pair, "=")
        assert key and value, line
        found[plain(key)] = plain(value)
    fields = {}
    for pair in split(parts[1], ","):
        key, value = split(pair, "=")
        fields[plain(key)] = value[1:-1] if value[0] == '"' else float(value)
    return head, found, fields, int(parts[2]) if len(parts) == 3 else None


def influx(report, path):
    want, seen = numbers(report), {}
    want = {k[:-1] + (k[-1].replace("\\", "/"),): v for k, v in want.items()}
    order = list(places(report))
    with open(path, encoding="utf-8", errors="strict", newline="\n") as file:
        lines = file.read().split("\n")
    assert lines.pop() == "", "the last line ends"
    assert len(lines) == len(order), f"{len(lines)} lines for {len(order)} points"
    for line, (where, thing) in zip(lines, order):
        head, tags, fields, when = influx_line(line)
        assert head == f"bootmark_{where[0]}"
        assert tags["run"] == report["run"]["id"]
        assert tags.get("target", "") == thing.get("target", "").replace("\\", "/")
        if 0 < report["run"].get("started_s", 0) < 2**32:
            assert when // 10**9 >= report["run"]["started_s"]
        for key, value in fields.items():
            if isinstance(value, float) and (where + (key,)) in want:
                seen[where + (key,)] = value
    compare(want, seen, "influx")


def metric(result, name):
    for m in result["metrics"]:
        if m["name"] == name:
            return m["value"]
    return None


def fio(report, path):
    """What fio-plot's importer takes from each job, and that it is what the report says."""
    data = load(path)
    results = {f'{r.get("target", "")}-{r["test"]}': r for r in report["results"]}
    assert isinstance(data["fio version"], str)
    for job in data["jobs"]:
        options = job["job options"]
        for key in ("rw", "iodepth", "numjobs", "bs"):
            assert isinstance(options[key], str) and options[key], key
        int(options["iodepth"])
        int(options["numjobs"])
        directions = {"read": ["read"], "write": ["write"], "randread": ["read"],
                      "randwrite": ["write"], "randrw": ["read", "write"],
                      "rw": ["read", "write"]}[options["rw"]]
        for key in ("usr_cpu", "sys_cpu"):
            assert 0 <= job[key] <= 100.5, key
        bands = 0
        for key in ("latency_ns", "latency_us", "latency_ms"):
            assert all(isinstance(v, float) for v in job[key].values())
            bands += sum(job[key].values())
        close(bands, 100, "the latency bands add up", 0.02)
        for direction in directions:
            side = job[direction]
            close(side["bw"], side["bw_bytes"] / 1024, "bw is in KiB/s", 0.02)
            for key in ("iops", "iops_stddev"):
                assert isinstance(side[key], (int, float)), key
            assert side["lat_ns"]["mean"] > 0 and side["lat_ns"]["stddev"] >= 0
        result = results[job["jobname"]]
        if len(directions) == 1 and metric(result, "iops"):
            close(job[directions[0]]["iops"], metric(result, "iops"), "iops", 1e-6)
            close(job[directions[0]]["bw_bytes"], metric(result, "throughput"), "bw", 1e-6)
            close(job[directions[0]]["lat_ns"]["mean"], metric(result, "lat_mean"), "mean", 1e-6)
    wanted = [r for r in report["results"] if r["status"] == "ok" and
              r.get("io", {}).get("latency", {}).get("count")]
    assert len(data["jobs"]) >= len(wanted), "a job for each test with latencies"
    return len(data["jobs"])


def yabs(report, path):
    data = load(path)
    for key in ("version", "os", "cpu", "mem", "fio", "iperf", "runtime"):
        assert key in data, key
    assert data["mem"]["ram_units"] == "KiB"
    assert data["mem"]["ram"] == report.get("machine", {}).get("memory_bytes", 0) // 1024
    mixes = [r for r in report["results"] if r.get("family") == "yabs" and r["status"] == "ok"]
    targets = {r["target"] for r in mixes}
    assert len(data["fio"]) == len([r for r in mixes if r["target"] == mixes[0]["target"]]) \
        if targets else not data["fio"]
    for row in data["fio"]:
        assert row["speed_units"] == "KBps"
        result = next(r for r in mixes if r["test"] == f'yabs-{row["bs"]}')
        close(row["iops_rw"], metric(result, "iops"), "iops", 1e-6)
        close(row["speed_rw"], metric(result, "throughput") / 1024, "speed", 1e-3)
        close(row["speed_r"] + row["speed_w"], row["speed_rw"], "both directions", 1e-3)


def main():
    check, report, path = sys.argv[1:]
    {"ndjson": ndjson, "influx": influx, "fio-json": fio, "yabs": yabs}[check](load(report), path)


if __name__ == "__main__":
    main()
