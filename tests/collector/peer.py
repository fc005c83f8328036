#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A client that does with a TCP connection to 127.0.0.1 exactly what it is told.

usage: peer.py PORT STEP...

send=TEXT       sends it, with \\r \\n \\0 and \\xHH decoded
file=PATH       sends a file
fill=N          sends N bytes
drip=N:SECONDS  sends N bytes, one each SECONDS
pause=SECONDS   waits
hold=N          opens N more connections, begins a request on each, prints `held`
half            says that nothing more will be sent
reset           closes with RST
read            reads to the end and prints it
A connection that the server ends prints `closed` and ends the steps, unless reading.
"""
import socket
import struct
import sys
import time

held = []


def step(sock, name, value):
    if name == "send":
        sock.sendall(value.encode().decode("unicode_escape").encode("latin-1"))
    elif name == "file":
        with open(value, "rb") as file:
            sock.sendall(file.read())
    elif name == "fill":
        sock.sendall(b"x" * int(value))
    elif name == "drip":
        count, seconds = value.split(":")
        for _ in range(int(count)):
            sock.sendall(b"x")
            time.sleep(float(seconds))
    elif name == "pause":
        time.sleep(float(value))
    elif name == "hold":
        for _ in range(int(value)):
            held.append(socket.create_connection(sock.getpeername(), 10))
            held[-1].sendall(b"GET /healthz")
        print("held", flush=True)
    elif name == "half":
        sock.shutdown(socket.SHUT_WR)
    elif name == "reset":
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        sock.close()
    elif name == "read":
        while True:
            data = sock.recv(65536)
            if not data:
                break
            sys.stdout.write(data.decode("utf-8", "replace"))
    else:
        sys.exit("no such step: " + name)


def main():
    sock = socket.create_connection(("127.0.0.1", int(sys.argv[1])), 10)
    sock.settimeout(60)
    try:
        for word in sys.argv[2:]:
            name, _, value = word.partition("=")
            step(sock, name, value)
    except OSError:
        print("closed")


main()
