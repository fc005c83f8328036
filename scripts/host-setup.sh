#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the host packages that scripts/host-packages lists and that are missing.
#
#	host-setup.sh [GROUP...]	groups build, run, test; build alone when none is named
#
# As root, or where sudo needs no password, they are installed by apt; otherwise the exact command
# is printed and this fails. When nothing is missing apt is not even asked. No service is started:
# those of the packages that would are held back during the installation, and nothing of that stays
# behind.
set -eu
# shellcheck source=scripts/lib.sh
. "${0%/*}/lib.sh"

# missing GROUP...: prints the groups' packages that are not installed; one whose place another
# package has taken (which then provides the name) is installed too.
missing() {
	dpkg-query -W -f '${db:Status-Status} ${Package} ${Provides}\n' >"$SCRATCH/installed"
	awk -v groups=" $* " '
		FNR == NR {
			gsub(/,|\([^)]*\)/, " ")
			if ($1 == "installed") for (i = 2; i <= NF; i++) have[$i] = 1
			next
		}
		!/^#/ && index(groups, " " $2 " ") && !($1 in have) { print $1 }' \
		"$SCRATCH/installed" "$ROOT/scripts/host-packages"
}

# install_packages PACKAGE...: as root. A policy-rc.d is Debian's way to say that no service may
# start now.
install_packages() {
	policy=/usr/sbin/policy-rc.d
	if [ ! -e "$policy" ]; then
		trap 'rm -f "$policy"' EXIT
		trap 'exit 130' INT TERM
		printf '#!/bin/sh\nexit 101\n' >"$policy"
		chmod 755 "$policy"
	fi
	export DEBIAN_FRONTEND=noninteractive
	apt-get -q update ||
		say "host: apt-get update failed; trying with the package lists there are"
	apt-get -q install -y --no-install-recommends "$@"
}

case ${1:-} in
--install)
	shift
	install_packages "$@"
	exit 0
	;;
esac

for group in "${@:-build}"; do
	grep -q "	$group	" "$ROOT/scripts/host-packages" ||
		die "$group: no such group in host-packages"
done
command -v dpkg-query >/dev/null || die "this host has no dpkg: the build needs Debian or Ubuntu"
scratch
needed=$(missing "${@:-build}" | sort -u | tr '\n' ' ')
[ -n "$needed" ] || exit 0

say "host: installing $needed"
# shellcheck disable=SC2086 # package names have no blanks
if [ "$(id -u)" -eq 0 ]; then
	"$0" --install $needed >&2
elif sudo -n true 2>/dev/null; then
	sudo -n "$ROOT/scripts/host-setup.sh" --install $needed >&2
else
	say "Host packages are missing; this is neither root nor may it sudo without a password:"
	say "	sudo apt-get install -y --no-install-recommends $needed"
	exit 1
fi
left=$(missing "${@:-build}" | tr '\n' ' ')
[ -z "$left" ] || die "still missing after the installation: $left"
