#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A server whose answer depends on the path that is asked for; most are wrong.

usage: server.py ADDRESS PORT LOG

Appends the head of each request to LOG. Paths:

/fine           10 MB in one second, over and over
/slow           the first byte after 300 ms, then as /fine
/small          16 bytes
/empty          no bytes
/stall          1 MB, then nothing
/silent         reads the request and never answers
/close          reads the request and closes
/reset          2 MB of 100, then a reset
/short          2 MB of 100, then an orderly end
/headers        a head without end
/garbage        bytes that are no HTTP
/sink           takes a PUT in chunks
/full           refuses one with 507 before it is sent
anything else   404 with a page for people
/401            a JSON object with "error" and control characters
/503            the same, always busy
/once           redirects to /fine
/loop           redirects to itself
/file           redirects to file:///etc/passwd
"""
import socket
import struct
import sys
import threading
import time

BLOCK = b"x" * 65536


def head(sock, status, *lines):
    sock.sendall("\r\n".join(["HTTP/1.1 " + status, *lines, "", ""]).encode())


def pour(sock, total, seconds=0):
    """Sends `total` bytes, evenly over so many seconds."""
    start = time.monotonic()
    sent = 0
    while sent < total:
        sock.sendall(BLOCK[:min(len(BLOCK), total - sent)])
        sent += min(len(BLOCK), total - sent)
        ahead = seconds * sent / total - (time.monotonic() - start)
        if ahead > 0.002:
            time.sleep(ahead)


def fine(sock):
    head(sock, "200 OK", "Content-Length: 10000000")
    pour(sock, 10000000, 1)
    return True


def cut(sock):
    head(sock, "200 OK", "Content-Length: 100000000")
    pour(sock, 2000000)


def sink(sock, file):
    sock.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
    while True:
        size = int(file.readline(), 16)
        left = size + 2
        while left:
            left -= len(file.read(min(left, 65536)))
        if size == 0:
            break
    head(sock, "201 Created", "Content-Length: 0")
    return True


def error(sock, status):
    body = b'{"error": "not for\\u0007 you\\n at all"}'
    head(sock, status, "Content-Type: application/json", "Content-Length: %d" % len(body))
    sock.sendall(body)
    return True


def answer(sock, file, path):
    """Answers one request; true where another may follow on the connection."""
    if path == "/fine":
        return fine(sock)
    if path == "/slow":
        time.sleep(0.3)
        return fine(sock)
    if path == "/small":
        head(sock, "200 OK", "Content-Length: 16")
        sock.sendall(b"sixteen bytes...")
        return True
    if path == "/empty":
        head(sock, "200 OK", "Content-Length: 0")
        return True
    if path == "/stall":
        head(sock, "200 OK", "Content-Length: 100000000")
        pour(sock, 1000000)
        time.sleep(60)
    elif path == "/silent":
        time.sleep(60)
    elif path == "/reset":
        cut(sock)
        time.sleep(0.2)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    elif path == "/short":
        cut(sock)
    elif path == "/headers":
        sock.sendall(b"HTTP/1.1 200 OK\r\n")
        while True:
            sock.sendall(b"X-Endless: yes\r\n" * 64)
    elif path == "/garbage":
        sock.sendall(b"\x16\x03\x01 no HTTP\r\n\r\n")
    elif path == "/close":
        pass
    elif path == "/sink":
        return sink(sock, file)
    elif path == "/full":
        return error(sock, "507 Insufficient Storage")
    elif path == "/401":
        return error(sock, "401 Unauthorized")
    elif path == "/503":
        return error(sock, "503 Service Unavailable")
    elif path in ("/once", "/loop", "/file"):
        to = {"/once": "/fine", "/loop": "/loop", "/file": "file:///etc/passwd"}[path]
        head(sock, "302 Found", "Location: " + to, "Content-Length: 0")
        return True
    else:
        head(sock, "404 Not Found", "Content-Length: 20")
        sock.sendall(b"<html>nothing</html>")
        return True
    return False


def is_tls(file):
    return file.peek(1)[:1] == b"\x16"


def serve(sock, log):
    try:
        with sock, sock.makefile("rb") as file:
            while True:
                if is_tls(file):
                    return head(sock, "400 Bad Request", "Content-Length: 0")
                lines = []
                for line in iter(file.readline, b"\r\n"):
                    if not line:
                        return
                    lines.append(line)
                with open(log, "ab") as out:
                    out.write(b"".join(lines) + b"\n")
                path = lines[0].split()[1].decode().split("?")[0]
                if not answer(sock, file, path):
                    return
    except OSError:
        pass


def main():
    address, port, log = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if family == socket.AF_INET6:
        listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
    listener.bind((address, port))
    listener.listen(64)
    print("listening", flush=True)
    while True:
        sock, _ = listener.accept()
        threading.Thread(target=serve, args=(sock, log), daemon=True).start()


main()
