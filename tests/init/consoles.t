#!/bin/sh
# SPDX-License-Identifier: MIT
# Consoles that are missing, stuck or odd hold up nothing.
set -eu
# shellcheck source=tests/init/lib.sh
. "${0%/*}/lib.sh"

# No console at all: nothing in `active`, no tty0, no /dev/console.
new_root
good_bench
rm "$R/consoles/ttyS0" "$R/consoles/tty0"
echo >"$R/active"
quick bench.upload=http://c.example/ console=null
is "$status" "$REBOOTED" "no console: the machine reboots"
ok "no console: the report is sent" test -e "$R/log/bootmark/report.json"
like "$(cat "$R/log/bootmark/console.log")" '^bootmark: stage run: ok' \
	"no console: console.log has it all"

# The kernel names consoles that cannot be opened; the one that can still gets everything.
new_root
good_bench
rm "$R/consoles/tty0"
echo "tty0 ttynull0 ttyS3 ttyS0 ../../etc/passwd" >"$R/active"
quick bench.upload=http://c.example/
is "$status" "$REBOOTED" "consoles that cannot be opened: the machine reboots"
ok "consoles that cannot be opened: another one shows it all" in_order '^bootmark: stage run: ok' \
	"^the report's text" '^bootmark: end: reboot$'

# A serial line whose other end takes nothing: a pipe that nobody reads, full after 64 KiB.
new_root
good_bench
cp "$R/bin/bench" "$R/bin/good"
program bench <<'END'
[ "$1" = run ] && awk 'BEGIN { for (i = 0; i < 20000; i++) print "more than it takes" }'
exec /bin/good "$@"
END
mkfifo "$R/consoles/stuck0"
own "$R/consoles/stuck0"
echo "tty0 stuck0 ttyS0" >"$R/active"
# Opened for reading, so that init can open it for writing; but never read.
# shellcheck disable=SC2016 # for the shell inside
BEFORE='sleep 600 <>"$R/consoles/stuck0" &'
quick bench.upload=http://c.example/
is "$status" "$REBOOTED" "a stuck console: the machine reboots"
ok "a stuck console: another one shows it all" in_order '^bootmark: stage run: ok' \
	"^the report's text" '^bootmark: end: reboot$'
is "$(grep -c '^more than it takes$' "$R/consoles/tty0")" 20000 \
	"a stuck console: no line is missing"
same_file "$R/consoles/ttyS0" "$R/consoles/tty0" "a stuck console: the others show the same"
le "$took_ms" 20000 "a stuck console: it is not waited for"

# Whoever prints what a device told him must not steer a terminal with it.
new_root
good_bench
cp "$R/bin/bench" "$R/bin/good"
program bench <<'END'
[ "$1" = run ] && printf 'red \033[31m bell \007 back \b csi \302\233 done \303\244\r\nnext\rover\n'
exec /bin/good "$@"
END
quick bench.upload=http://c.example/
like "$console" "^red \\?\\[31m bell \\? back \\? csi \\? done ä\$" \
	"control characters do not reach a console"
ok "carriage returns end lines" in_order '^red ' '^next$' '^over$'
is "$(LC_ALL=C tr -d '\n\t\040-\176\200-\377' <"$R/consoles/tty0" | wc -c)" 0 \
	"no control character is left"

done_testing
