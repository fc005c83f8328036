#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""The benchmark of GNOME Disks, calculated and run without any of bench's code.

usage: gnome_disks.py curve|access DEVICE PLACES-FILE

Prints the average (bytes per second, or ns) and writes where it read to PLACES-FILE. The random
places come from Python's own Mersenne Twister, put into the state that GLib's seeding gives.
"""
import fcntl
import mmap
import os
import random
import struct
import sys
import time

BLKGETSIZE64 = 0x80081272
PAGE = mmap.PAGESIZE
SAMPLES, SAMPLE_BYTES = 100, 10 << 20
ACCESSES, SEED = 1000, 42


def twister(seed):
    """GRand of that seed: the authors' init_genrand, which Python itself never uses."""
    state = [seed]
    for i in range(1, 624):
        state.append((1812433253 * (state[-1] ^ (state[-1] >> 30)) + i) & 0xFFFFFFFF)
    generator = random.Random()
    generator.setstate((3, tuple(state) + (624,), None))
    return generator


def places_of_accesses(size):
    """g_rand_double_range(rand, 0, size) for each, rounded down to a page."""
    generator = twister(SEED)
    for _ in range(ACCESSES):
        low, high = generator.getrandbits(32), generator.getrandbits(32)
        yield int((low / 2**32 + high) / 2**32 * size) // PAGE * PAGE


def read(fd, buffer, offset):
    begin = time.monotonic_ns()
    got = os.preadv(fd, [buffer], offset)
    end = time.monotonic_ns()
    if got != len(buffer):
        sys.exit(f"read {got} of {len(buffer)} bytes at {offset}")
    return end - begin


def main():
    what, device, places_file = sys.argv[1:]
    fd = os.open(device, os.O_RDONLY | os.O_DIRECT | os.O_SYNC)
    size = struct.unpack("Q", fcntl.ioctl(fd, BLKGETSIZE64, bytes(8)))[0]
    page, sample = mmap.mmap(-1, PAGE), mmap.mmap(-1, SAMPLE_BYTES, mmap.MAP_PRIVATE)
    sample.write(b"\x5a" * SAMPLE_BYTES)  # its pages are there before they are read into
    values = []
    if what == "curve":
        places = [n * size // SAMPLES // PAGE * PAGE for n in range(SAMPLES)]
        for offset in places:
            read(fd, page, offset)
            values.append(SAMPLE_BYTES * 1e9 / read(fd, sample, offset))
    else:
        places = list(places_of_accesses(size))
        values = [read(fd, page, offset) for offset in places]
    with open(places_file, "w", encoding="ascii") as out:
        out.writelines(f"{offset}\n" for offset in places)
    print(sum(values) / len(values))


main()
