#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Runs one QEMU machine to its end: plays a script against its console, and says how it ended.

usage: machine.py FOLDER LIMIT_S

FOLDER holds the machine: `arguments` (QEMU's, one per line, any bytes) and `script` (may be
missing). A script line is REGEX TAB ACTION [TAB ARGUMENT]; a line waits for its regex on the
console, behind where the line before it matched, and then acts:

    see                 nothing: the text must appear
    touch PATH          makes an empty file: a sign for the test that waits for it
    type TEXT           sends TEXT and a newline to the console
    qmp JSON            sends one QMP command; an error answer ends the machine
    sleep SECONDS       waits before the next line is looked at
    halted              waits until every processor is halted for good, then ends the machine
    kill                ends the machine

Left in FOLDER: `console` (all bytes of the serial port), `events` (QMP events, one JSON each),
`said` (QEMU's own output), `marks` (SECONDS TAB REGEX of each line played), `left` (the regex of
each line that was not), `seconds`, and `end`, one word:

    reboot poweroff panic   the guest did it (QMP event SHUTDOWN)
    halt                    the action `halted` saw it
    killed                  the action `kill`
    limit                   LIMIT_S was over
    script                  an action of the script failed
    qemu                    QEMU ended by itself without a word from the guest

Exit status 0 whatever the end was; 1 when the machine could not be run at all. QEMU is never asked
to end, only killed: a stalled block layer makes it deaf to everything else. It also dies with this
program.
"""
import json
import os
import re
import selectors
import signal
import socket
import subprocess
import sys
import time

QUIT_GRACE_S = 10  # from the guest's own shutdown to QEMU's exit


class Script:
    """The lines still to be played, and how far into the console they have come."""

    def __init__(self, path):
        self.lines = []
        self.at = 0
        if os.path.exists(path):
            with open(path, "rb") as file:
                for line in file.read().splitlines():
                    if not line:
                        continue
                    regex, action, *argument = line.split(b"\t", 2)
                    self.lines.append((re.compile(regex, re.M), action.decode(),
                                       b"".join(argument)))

    def next_match(self, console):
        """The first line's (regex, action, argument) if the console has reached it, else None."""
        if not self.lines:
            return None
        found = self.lines[0][0].search(console, self.at)
        if not found:
            return None
        self.at = found.end()
        return self.lines.pop(0)


def keep_to_one_cpu():
    """Before QEMU is started with an NVMe controller: QEMU 7.2 stores its shadow doorbell's event
    index and reads the doorbell without a barrier between (nvme_process_sq in hw/nvme/ctrl.c), so
    that beside a guest that runs on another CPU it misses a command every few thousand, for ever.
    On one CPU nothing overtakes anything."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


class Machine:
    def __init__(self, folder):
        self.folder = folder
        self.script = Script(self.path("script"))
        self.console = bytearray()
        self.qmp_buffer = b""
        self.qmp_asked = []  # commands without an answer yet, oldest first
        self.end = None
        self.deaf_until = 0.0  # a `sleep` action lasts until then
        self.asks_halted = False
        self.halted_asked_at = 0.0
        self.files = {name: open(self.path(name), "wb", 0)
                      for name in ("console", "events", "marks")}
        self.start()

    def path(self, name):
        return os.path.join(self.folder, name)

    def start(self):
        with open(self.path("arguments"), "rb") as file:
            arguments = file.read().splitlines()
        if any(argument.startswith(b"nvme") for argument in arguments):
            keep_to_one_cpu()
        self.qmp, qmp_end = socket.socketpair()
        self.tty, tty_end = socket.socketpair()
        command = [b"setpriv", b"--pdeathsig", b"KILL", b"qemu-system-x86_64",
                   b"-chardev", b"socket,id=qmp,fd=%d" % qmp_end.fileno(),
                   b"-mon", b"chardev=qmp,mode=control",
                   b"-chardev", b"socket,id=tty,fd=%d" % tty_end.fileno(),
                   b"-serial", b"chardev:tty", *arguments]
        with open(self.path("said"), "wb") as said:
            self.started = time.monotonic()
            self.qemu = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=said,
                                         stderr=said, pass_fds=(qmp_end.fileno(), tty_end.fileno()))
        qmp_end.close()
        tty_end.close()
        self.ask({"execute": "qmp_capabilities"})

    def seconds(self):
        return time.monotonic() - self.started

    def ask(self, command):
        self.qmp_asked.append(command)
        self.send(self.qmp, json.dumps(command).encode() + b"\n")

    def send(self, sock, data):
        try:
            sock.sendall(data)
        except OSError:
            pass  # QEMU has gone; its end is noticed elsewhere

    def heard_qmp(self, data):
        *lines, self.qmp_buffer = (self.qmp_buffer + data).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if "event" in message:
                self.files["events"].write(line.strip() + b"\n")
                self.heard_event(message)
            elif "error" in message:
                self.fail("qmp: %s: %s" % (self.qmp_asked.pop(0), message["error"].get("desc")))
            elif "return" in message:
                self.heard_answer(self.qmp_asked.pop(0), message["return"])

    def heard_event(self, event):
        if event["event"] != "SHUTDOWN" or self.end:
            return
        reason = event["data"].get("reason")
        self.end = {"guest-reset": "reboot", "guest-shutdown": "poweroff",
                    "guest-panic": "panic"}.get(reason, "qemu")

    def heard_answer(self, asked, answer):
        if asked.get("execute") != "human-monitor-command":
            return
        # HLT=1: the processor executes hlt; interrupt flag (0x200) clear: nothing wakes it again.
        flags = re.findall(r"[ER]FL=([0-9a-f]+).*?HLT=([01])", answer, re.S)
        if flags and all(hlt == "1" and not int(efl, 16) & 0x200 for efl, hlt in flags):
            self.end = "halt"
            self.qemu.kill()

    def fail(self, why):
        with open(self.path("said"), "ab") as said:
            said.write(("machine.py: %s\n" % why).encode(errors="replace"))
        self.end = "script"
        self.qemu.kill()

    def play(self):
        """Plays the script as far as the console allows."""
        while time.monotonic() >= self.deaf_until and not self.end:
            line = self.script.next_match(self.console)
            if not line:
                break
            regex, action, argument = line
            self.files["marks"].write(b"%.3f\t%s\n" % (self.seconds(), regex.pattern))
            self.act(action, argument)
        if self.asks_halted and not self.end and time.monotonic() > self.halted_asked_at + 0.5:
            self.halted_asked_at = time.monotonic()
            self.ask({"execute": "human-monitor-command",
                      "arguments": {"command-line": "info registers -a"}})

    def act(self, action, argument):
        if action == "touch":
            with open(argument, "wb"):
                pass
        elif action == "type":
            self.send(self.tty, argument + b"\n")
        elif action == "qmp":
            self.ask(json.loads(argument))
        elif action == "sleep":
            self.deaf_until = time.monotonic() + float(argument)
        elif action == "halted":
            self.asks_halted = True
        elif action == "kill":
            self.end = "killed"
            self.qemu.kill()
        elif action != "see":
            self.fail("no such action: %s" % action)

    def run(self, limit_s):
        """Serves both sockets until QEMU has ended."""
        poll = selectors.DefaultSelector()
        poll.register(self.qmp, selectors.EVENT_READ, self.heard_qmp)
        poll.register(self.tty, selectors.EVENT_READ, self.heard_console)
        quit_at = None
        while self.qemu.poll() is None or poll.get_map():
            for key, _ in poll.select(0.1):
                try:
                    data = key.fileobj.recv(65536)
                except OSError:
                    data = b""
                if data:
                    key.data(data)
                else:
                    poll.unregister(key.fileobj)
            self.play()
            if self.end and quit_at is None:
                quit_at = time.monotonic() + QUIT_GRACE_S
            if self.seconds() > limit_s and not self.end:
                self.end = "limit"
                self.qemu.kill()
            if quit_at and time.monotonic() > quit_at:
                self.qemu.kill()
        self.finish()

    def heard_console(self, data):
        self.console += data
        self.files["console"].write(data)

    def finish(self):
        self.end = self.end or "qemu"
        left = b"".join(line[0].pattern + b"\n" for line in self.script.lines)
        for name, text in (("left", left), ("seconds", b"%.1f\n" % self.seconds()),
                           ("end", self.end.encode() + b"\n")):
            with open(self.path(name), "wb") as file:
                file.write(text)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n\n")[1])
    machine = Machine(sys.argv[1])
    try:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: sys.exit(1))
        machine.run(float(sys.argv[2]))
    finally:
        machine.qemu.kill()
        machine.qemu.wait()


if __name__ == "__main__":
    main()
