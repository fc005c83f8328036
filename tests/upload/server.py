#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""A server that answers uploads in scripted ways, most of them wrong.

usage: server.py FOLDER BEHAVIOUR[,BEHAVIOUR...] [PORT | CERTIFICATE KEY [MAXIMUM-TLS]]

Each connection gets the next behaviour, the last one all further. Prints `listening on PORT`. A
request that came whole leaves FOLDER/N.head and FOLDER/N.body, N counting connections from 1.
Behaviours:

NNN             that status, complete, with a short body
NNN-open        no length: the body ends with the connection, under TLS without close_notify
NNN-short       announces more body than it sends
NNN-chunked     chunks, complete; then closes without close_notify
NNN-chunkcut    chunks without the last one
NNN-json        a JSON object with "error", longer than anyone wants to read
NNN-binary      a body of control characters and invalid UTF-8
NNN-huge        a body without end
NNN-echo        answers with the request's own body
NNN-early       answers after the head and closes without reading the body
NNN-after=S     that status with Retry-After: S
NNN-to=URL      that status with Location: URL
continue        a hundred times 100 Continue, then 201
close           reads the request and closes
reset           resets after a part of the body
hang            reads the request and never answers
deaf            never reads
headers         headers without end
longheader      one header without end
drip            a status line, a byte each half second
garbage         bytes that are no HTTP
badstatus       a status line without number
old             HTTP/0.9: a body and nothing else
"""
import os
import socket
import ssl
import struct
import sys
import threading
import time

COUNT = 0


def read_head(sock):
    data = b""
    while b"\r\n\r\n" not in data:
        more = sock.recv(65536)
        if not more:
            raise OSError("no head")
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    length = 0
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return head, body, length


def read_request(sock):
    head, body, length = read_head(sock)
    while len(body) < length:
        more = sock.recv(65536)
        if not more:
            raise OSError("cut off")
        body += more
    return head, body


def keep(folder, number, head, body):
    path = os.path.join(folder, str(number))
    with open(path + ".part", "wb") as file:
        file.write(body)
    with open(path + ".head", "wb") as file:
        file.write(head.replace(b"\r\n", b"\n") + b"\n")
    os.rename(path + ".part", path + ".body")


def status_line(status):
    return b"HTTP/1.1 %s Scripted\r\n" % status.encode()


def answer_status(sock, status, kind, body):
    """The behaviours that begin with a status."""
    kind, _, value = kind.partition("=")
    head = status_line(status)
    if kind == "open":
        sock.sendall(head + b"Connection: close\r\n\r\nstored")
    elif kind == "short":
        sock.sendall(head + b"Content-Length: 100\r\n\r\nstored")
    elif kind == "chunked":
        sock.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n6\r\nstored\r\n0\r\n\r\n")
    elif kind == "chunkcut":
        sock.sendall(head + b"Transfer-Encoding: chunked\r\n\r\n6\r\nstored\r\n")
    elif kind == "json":
        text = b'{"error":"the disk is full","hint":"make room"}' + b" " * 300
        sock.sendall(head + b"Content-Length: %d\r\n\r\n" % len(text) + text)
    elif kind == "binary":
        text = b"\x1b[31mred\x00\r\nbell\x07\xff\xfe end"
        sock.sendall(head + b"Content-Length: %d\r\n\r\n" % len(text) + text)
    elif kind == "huge":
        sock.sendall(head + b"\r\n")
        while True:
            sock.sendall(b"x" * 65536)
    elif kind == "echo":
        sock.sendall(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
    elif kind == "after":
        sock.sendall(head + b"Retry-After: %s\r\nContent-Length: 0\r\n\r\n" % value.encode())
    elif kind == "to":
        sock.sendall(head + b"Location: %s\r\nContent-Length: 0\r\n\r\n" % value.encode())
    elif kind in ("", "early"):
        text = b"" if status == "204" else b"as scripted"
        sock.sendall(head + b"Content-Length: %d\r\n\r\n" % len(text) + text)
    else:
        raise SystemExit("no such behaviour: " + kind)


def answer_other(sock, name):
    if name == "continue":
        sock.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 100)
        answer_status(sock, "201", "", b"")
    elif name == "hang":
        time.sleep(3600)
    elif name == "headers":
        sock.sendall(status_line("201"))
        while True:
            sock.sendall(b"X-Header: yes\r\n" * 100)
    elif name == "longheader":
        sock.sendall(status_line("201") + b"X-Header: ")
        while True:
            sock.sendall(b"y" * 1000)
    elif name == "drip":
        for byte in status_line("201") * 100:
            sock.sendall(bytes([byte]))
            time.sleep(0.5)
    elif name == "garbage":
        sock.sendall(b"\x00\x01\x02SSH-2.0-OpenSSH_9.2p1\r\n\r\n")
    elif name == "badstatus":
        sock.sendall(b"HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n")
    elif name == "old":
        sock.sendall(b"<html>stored</html>")
    elif name != "close":
        raise SystemExit("no such behaviour: " + name)


def reset(sock):
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def serve(sock, number, name, folder, tls):
    try:
        sock.settimeout(60)
        if tls:
            sock = tls.wrap_socket(sock, server_side=True)
        status, _, kind = name.partition("-")
        if name == "deaf":
            time.sleep(3600)
        elif name == "reset":
            read_head(sock)
            reset(sock)
        elif kind == "early":
            read_head(sock)
            answer_status(sock, status, kind, b"")
        else:
            head, body = read_request(sock)
            keep(folder, number, head, body)
            if status.isdigit():
                answer_status(sock, status, kind, body)
            else:
                answer_other(sock, name)
    except ssl.SSLError as error:
        with open(os.path.join(folder, "handshakes"), "a") as file:
            file.write("%s\n" % error)
    except OSError:
        pass
    finally:
        # under TLS this sends no close_notify
        sock.close()


def main():
    global COUNT
    if len(sys.argv) not in (3, 4, 5, 6):
        sys.exit(__doc__.split("\n\n")[1])
    tls = None
    port = int(sys.argv[3]) if len(sys.argv) == 4 else 0
    if len(sys.argv) > 4:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(sys.argv[3], sys.argv[4])
        if len(sys.argv) > 5:
            tls.maximum_version = ssl.TLSVersion[sys.argv[5]]
    os.makedirs(sys.argv[1], exist_ok=True)
    names = sys.argv[2].split(",")
    listener = socket.create_server(("127.0.0.1", port))
    print("listening on %d" % listener.getsockname()[1], flush=True)
    while True:
        sock, _ = listener.accept()
        COUNT += 1
        name = names[min(COUNT, len(names)) - 1]
        threading.Thread(target=serve, args=(sock, COUNT, name, sys.argv[1], tls),
                         daemon=True).start()


main()
