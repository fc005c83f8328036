#!/bin/sh
# SPDX-License-Identifier: MIT
# scripts/host-setup.sh asks apt for nothing when nothing is missing, and tells an ordinary user
# exactly what to run. The commands it could do harm with are replaced, so this test installs
# nothing.
set -eu
# shellcheck source=tests/lib.sh
. "${0%/*}/../lib.sh"

mkdir "$T_TMP/bin"
stand_in() {
	printf '#!/bin/sh\n%s\n' "$2" >"$T_TMP/bin/$1"
	chmod 755 "$T_TMP/bin/$1"
}
stand_in apt-get "echo \"apt-get \$*\" >>$T_TMP/asked"
stand_in id 'echo 1000'
stand_in sudo "echo \"sudo \$*\" >>$T_TMP/asked; exit 1"

# host_setup GROUP...: its output is left in $said, its status in $status.
host_setup() {
	: >"$T_TMP/asked"
	status=0
	said=$(PATH=$T_TMP/bin:$PATH "$ROOT/scripts/host-setup.sh" "$@" 2>&1) || status=$?
}

all=$(awk '!/^#/ && NF { print "installed", $1 }' "$ROOT/scripts/host-packages")
stand_in dpkg-query "cat <<'END'
$all
END"
host_setup build run test
is "$status" 0 "nothing is missing: success"
is "$said$(cat "$T_TMP/asked")" "" "and neither apt nor sudo is asked"

stand_in dpkg-query "cat <<'END'
$(printf '%s\n' "$all" | grep -Ev ' (bison|fio|jq)$')
config-files jq
installed jaq jq (= 1.7), other
END"
host_setup build
is "$status" 1 "something is missing and this is an ordinary user: failure"
like "$said" '^	sudo apt-get install -y --no-install-recommends bison *$' \
	"the exact command is printed"
unlike "$said" 'jq' "a package whose name another one provides is not missing"
unlike "$said" 'fio' "other groups are not asked for"
unlike "$(cat "$T_TMP/asked")" 'install' "and nothing was installed"

host_setup test
like "$said" 'recommends fio *$' "a group's own package is asked for by that group"

stand_in sudo "echo \"sudo \$*\" >>$T_TMP/asked"
host_setup build
like "$(cat "$T_TMP/asked")" 'sudo -n .*/host-setup.sh --install bison *$' \
	"with sudo it installs just that"
like "$said" 'still missing after the installation: bison' \
	"and does not believe it until it is there"

host_setup nonsense
is "$status" 1 "an unknown group is an error"

rm "$T_TMP/bin/dpkg-query"
mkdir "$T_TMP/nothing"
for tool in sh sed awk grep dirname cut; do
	ln -s "$(command -v "$tool")" "$T_TMP/nothing/$tool"
done
not_ok "a host without dpkg is refused" \
	env PATH="$T_TMP/nothing" "$ROOT/scripts/host-setup.sh" build
like "$(cat "$T_TMP/.ok")" 'Debian or Ubuntu' "and told why"
done_testing
