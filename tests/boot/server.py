#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""An HTTP or HTTPS server that gives scripted answers to uploads and keeps what it was sent.

usage: server.py FOLDER ANSWERS [CERTIFICATE KEY]

ANSWERS is a list such as 500,500,201: one status for each request, the last for all further ones;
`close` closes the connection instead of answering. Prints `listening on 127.0.0.1:PORT`. Each
complete request leaves FOLDER/N.head (method and path, then the headers) and FOLDER/N.body, N
counting from 1. Each TLS handshake leaves a line in FOLDER/handshakes: `done`, or what went wrong.
"""
import http.server
import os
import ssl
import sys
import threading


class Handler(http.server.BaseHTTPRequestHandler):
    timeout = 30

    def answer(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        with self.server.lock:
            self.server.count += 1
            number = self.server.count
        status = self.server.answers[min(number, len(self.server.answers)) - 1]
        path = os.path.join(self.server.folder, str(number))
        with open(path + ".head", "w") as file:
            file.write("%s %s\n%s" % (self.command, self.path, self.headers))
        with open(path + ".part", "wb") as file:
            file.write(body)
        os.rename(path + ".part", path + ".body")
        if status == "close":
            self.close_connection = True
            return
        self.send_response(int(status))
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_PUT = do_POST = answer

    def log_message(self, format, *args):
        sys.stderr.write("%s\n" % (format % args))


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, folder, answers, tls):
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = folder
        self.answers = answers
        self.tls = tls
        self.lock = threading.Lock()
        self.count = 0

    def finish_request(self, request, client_address):
        """In the connection's own thread: a client that never speaks TLS delays no other."""
        if self.tls:
            request.settimeout(30)
            outcome = "done"
            try:
                request = self.tls.wrap_socket(request, server_side=True)
            except OSError as error:
                outcome = str(error)
            with self.lock, open(os.path.join(self.folder, "handshakes"), "a") as file:
                file.write(outcome + "\n")
            if outcome != "done":
                return
        super().finish_request(request, client_address)


def main():
    if len(sys.argv) not in (3, 5):
        sys.exit(__doc__.split("\n\n")[1])
    tls = None
    if len(sys.argv) == 5:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(sys.argv[3], sys.argv[4])
    os.makedirs(sys.argv[1], exist_ok=True)
    server = Server(sys.argv[1], sys.argv[2].split(","), tls)
    print("listening on 127.0.0.1:%d" % server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
