#!/bin/sh
# SPDX-License-Identifier: MIT
# The network, with a real DHCP server and the image's own client over virtual cables.
set -eu
# shellcheck source=tests/init/lib.sh
. "${0%/*}/lib.sh"

need_tool dnsmasq

# looking_bench CARD...: a bench whose run waits for these cards' leases, then leaves in /log what
# the kernel has.
looking_bench() {
	{
		echo "cards='$*'"
		cat <<-'END'
		case $1 in
		run)
			cut -d ' ' -f 1 /proc/uptime >/log/started
			for card in $cards; do
				i=0
				until [ -e "/run/bootmark/net/$card.lease" ] || [ $i -eq 45 ]; do
					sleep 1
					i=$((i + 1))
				done
			done
			ip -4 addr >/log/addr
			ip -4 route >/log/route
			ip link >/log/link
			cp /etc/resolv.conf /run/bootmark/net/*.lease /log/
			echo '{}' >/run/bootmark/report.json
			echo text >/run/bootmark/report.txt
			;;
		upload)
			printf '%s\n' "$@" >/log/upload.args
			;;
		esac
		exit 0
		END
	} | program bench
}

# boot_net WORD...: a boot with a network and without other waits.
boot_net() {
	boot 90 bench.settle=0 bench.linger=0 bench.linger-fail=0 \
		bench.upload=http://c.example/ "$@"
	is "$status" "$REBOOTED" "$what: the machine reboots"
}

# has FILE LINE: /log/FILE has this line; blanks at its ends do not count.
has() {
	sed 's/^ *//; s/ *$//' "$R/log/$1" >"$T_TMP/lines"
	if grep -Fqx -e "$2" "$T_TMP/lines"; then
		pass "$what: $1: $2"
	else
		fail "$what: $1: $2" "$(cat "$T_TMP/lines")" "$console" "$(cat "$R"/log/peer.*)"
	fi
}

what="DHCP"
new_root
looking_bench eth0
peer eth0 "$(dhcp_server --dhcp-option=6,10.9.0.53,10.9.0.54 --dhcp-option=42,10.9.0.12 \
	--dhcp-option=26,1400 --domain=example.test)"
boot_net
has addr "inet 10.9.0.$(sed -n 's/^address=10.9.0.\(.*\)\/24/\1/p' "$R/log/eth0.lease")/24 brd \
10.9.0.255 scope global eth0"
has route "default via 10.9.0.1 dev eth0  metric 200"
has resolv.conf "nameserver 10.9.0.53"
has resolv.conf "nameserver 10.9.0.54"
has eth0.lease "ntp=10.9.0.12"
has eth0.lease "method=dhcp"
like "$(cat "$R/log/link")" ' eth0.* mtu 1400 ' "$what: the network's MTU is set"
dns='10\.9\.0\.53 10\.9\.0\.54'
like "$console" \
	"^bootmark: net: eth0: DHCP: 10\.9\.0\.5./24, router 10\.9\.0\.1, dns $dns \(metric 200\)" \
	"$what: the lease is told"
like "$console" '^bootmark: net: eth0: link up' "$what: the link is told"

what="an address of its own network, router outside"
new_root
looking_bench eth0
peer eth0 "ip addr add 172.31.1.1/32 dev srv
$(dhcp_server --dhcp-option-force=1,255.255.255.255 --dhcp-option=3,172.31.1.1)"
boot_net
like "$(cat "$R/log/addr")" 'inet 10\.9\.0\.5[0-9]/32 ' "$what: the address"
has route "default via 172.31.1.1 dev eth0  metric 200"
has route "172.31.1.1 dev eth0 scope link  metric 200"

what="classless routes"
new_root
looking_bench eth0
peer eth0 "ip addr add 10.9.7.1/24 dev srv
$(dhcp_server --dhcp-option=3,10.9.0.99 \
	--dhcp-option=121,0.0.0.0/0,10.9.0.1,10.9.7.0/24,0.0.0.0,10.50.0.0/16,10.9.7.1)"
boot_net
has route "default via 10.9.0.1 dev eth0  metric 200"
has route "10.9.7.0/24 dev eth0 scope link  metric 200"
has route "10.50.0.0/16 via 10.9.7.1 dev eth0  metric 200"
unlike "$(cat "$R/log/route")" '10\.9\.0\.99' "$what: the router option is ignored"

what="a server without an answer beside one with"
new_root
looking_bench eth1
peer eth0 ""
peer eth1 "$(dhcp_server)"
boot_net
has route "default via 10.9.0.1 dev eth1  metric 210"
ok "$what: the silent card has no lease" test ! -e "$R/log/eth0.lease"

what="no answer"
new_root
looking_bench
peer eth0 ""
boot_net bench.retry=5
# shellcheck disable=SC2016 # for awk
ok "$what: the tests did not wait" awk '
	/stage network: helper/ { split($0, n, "uptime "); net = n[2] + 0 }
	/stage run: start/ { split($0, r, "uptime "); run = r[2] + 0 }
	END { exit !(net && run && run - net < 2) }' "$R/consoles/ttyS0"
like "$console" '^bootmark: net: eth0: DHCP: no answer yet \(round 1\)' "$what: it is told"
ok "$what: the upload waits for an address, then tries" in_order '^bootmark: stage upload: start' \
	'^bootmark: upload: no address after [0-9]+ s of waiting' '^bootmark: stage upload: ok'

what="static"
new_root
looking_bench eth1
peer eth0 ""
peer eth1 ""
boot_net ip=10.8.0.5::10.8.0.1:255.255.255.0:name:eth1:none:10.8.0.53 nameserver=10.8.0.99
has addr "inet 10.8.0.5/24 brd 10.8.0.255 scope global eth1"
has route "default via 10.8.0.1 dev eth1  metric 210"
has eth1.lease "method=static"
is "$(cat "$R/log/resolv.conf")" "nameserver 10.8.0.99
nameserver 10.8.0.53" "$what: name servers of the command line come first"
unlike "$console" 'DHCP' "$what: nobody asks for another address"

what="static, router outside, device by MAC"
new_root
looking_bench eth1
peer eth0 ""
peer eth1 ""
BEFORE="$BEFORE
ip link set eth1 address 02:00:00:00:00:07"
boot_net ip=203.0.113.7::198.51.100.1:255.255.255.255::02-00-00-00-00-07:off
has addr "inet 203.0.113.7/32 scope global eth1"
has route "198.51.100.1 dev eth1 scope link  metric 210"
has route "default via 198.51.100.1 dev eth1  metric 210"

what="the boot interface"
new_root
looking_bench eth0 eth1
peer eth0 "$(dhcp_server)"
peer eth1 "$(dhcp_server | sed 's/10\.9\.0/10.7.0/g')"
BEFORE="$BEFORE
ip link set eth1 address 02:00:00:00:00:09"
boot_net BOOTIF=01-02-00-00-00-00-09
has route "default via 10.7.0.1 dev eth1  metric 100"
has route "default via 10.9.0.1 dev eth0  metric 200"

what="a card that comes late"
new_root
looking_bench usb0
BEFORE="(sleep 4; R=$R"
peer usb0 "$(dhcp_server)"
BEFORE="$BEFORE
) >/dev/null 2>&1 </dev/null &"
boot_net
has route "default via 10.9.0.1 dev usb0  metric 200"
like "$console" '^bootmark: net: no Ethernet card so far' "$what: at first there is none"

what="ip=off"
new_root
looking_bench
peer eth0 "$(dhcp_server)"
boot_net ip=off
is "$(cat "$R/log/route")" "" "$what: nothing is configured"
like "$console" '^bootmark: net: off, as ip= says' "$what: it is told"

what="a hostile server"
new_root
looking_bench eth0
# shellcheck disable=SC2016 # meant literally
printf '%s\n' '15,$(touch /log/ran)' '12,;touch /log/ran' '17,`touch /log/ran`' 26,60 \
	3,0.0.0.0,127.0.0.1,10.9.0.1 >"$R/hostile"
# shellcheck disable=SC2016 # for the shell inside
peer eth0 "$(dhcp_server '--dhcp-optsfile=$R/hostile')"
boot_net
has route "default via 10.9.0.1 dev eth0  metric 200"
ok "$what: nothing was run" test ! -e "$R/log/ran"
like "$(cat "$R/log/link")" ' eth0.* mtu 1500 ' "$what: an MTU that is none is ignored"

done_testing
