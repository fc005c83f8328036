# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# shellcheck disable=SC2034,SC2154 # its variables are used by tests, or set by tests/lib.sh
# Reports to upload, servers to take them, certificates; source it after tests/lib.sh.

RUN_ID=89abcdef-0123-4567-89ab-cdef01234567
TOKEN=correct-horse-battery-staple

# The proxy of whoever runs the tests has nothing to do with them.
unset http_proxy https_proxy HTTPS_PROXY all_proxy ALL_PROXY no_proxy NO_PROXY

mkdir "$T_TMP/out"
REPORT=$T_TMP/out/report.json
printf '{"schema": "bootmark/1", "run": {"id": "%s", "state": "complete", "label": "%b"}}\n' \
	"$RUN_ID" 'r\0303\0266hre' >"$REPORT"
cp "$REPORT" "$T_TMP/report.copy"

# upload URLS [FLAG...]: sends the report. Leaves $code, and what was said in $T_TMP/said.
upload() {
	urls=$1
	shift
	code=0
	timeout 200 "$OUT/bench" upload --out "$T_TMP/out" --upload "$urls" --retry 0 "$@" \
		>"$T_TMP/said" 2>&1 || code=$?
}

# delivered WHAT: the last upload says so, with its exit status too.
delivered() {
	if [ "$code" = 0 ] && grep -q '^upload: delivered to ' "$T_TMP/said"; then
		pass "$1: delivered"
	else
		fail "$1: delivered" "status $code" "
$(cat "$T_TMP/said")"
	fi
}

# not_delivered ERE WHAT: it was not, for that reason.
not_delivered() {
	if [ "$code" = 1 ] && grep -q '^upload: not delivered after' "$T_TMP/said"; then
		like "$(cat "$T_TMP/said")" "$1" "$2: not delivered, and why"
	else
		fail "$2: not delivered" "status $code" "
$(cat "$T_TMP/said")"
	fi
}

# server NAME BEHAVIOURS [CERTIFICATE KEY [TLS]]: starts server.py. Leaves $port; what it received
# is in $T_TMP/NAME.
server() {
	server_folder=$T_TMP/$1
	server_behaviours=$2
	shift 2
	start /usr/bin/python3 "$ROOT/tests/upload/server.py" "$server_folder" \
		"$server_behaviours" "$@"
	wait_for 10 grep -q 'listening on' "$log" || bail "the server does not start: $(cat "$log")"
	port=$(sed -n 's/^listening on //p' "$log")
}

# received NAME N: the Nth connection of that server brought the report, byte for byte.
received() {
	cmp -s "$T_TMP/$1/$2.body" "$REPORT"
}

# authority NAME: makes $T_TMP/NAME.ca, a certificate authority.
authority() {
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 \
		-subj "/CN=$1" \
		-addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign \
		-keyout "$T_TMP/$1.ca.key" -out "$T_TMP/$1.ca" 2>/dev/null
}

# certificate NAME AUTHORITY NAMES [FROM TO [KIND]]: makes $T_TMP/NAME.pem and NAME.key for these
# subjectAltNames; FROM and TO as YYYYMMDDhhmmssZ; KIND rsa or ec.
certificate() {
	case ${6:-ec} in
	ec) set -- "$1" "$2" "$3" "${4:-20200101000000Z}" "${5:-20990101000000Z}" ec \
		-pkeyopt ec_paramgen_curve:P-256 ;;
	rsa) set -- "$1" "$2" "$3" "$4" "$5" rsa:2048 ;;
	esac
	certificate_name=$1
	certificate_ca=$2
	certificate_from=$4
	certificate_to=$5
	certificate_kind=$6
	printf 'subjectAltName=%s\nbasicConstraints=CA:FALSE\n' "$3" >"$T_TMP/$1.ext"
	shift 6
	openssl req -new -newkey "$certificate_kind" "$@" -nodes -subj "/CN=$certificate_name" \
		-keyout "$T_TMP/$certificate_name.key" -out "$T_TMP/$certificate_name.csr" \
		2>/dev/null
	: >"$T_TMP/index.txt"
	rm -f "$T_TMP/index.txt.attr"
	cat >"$T_TMP/ca.conf" <<-END
		[ca]
		default_ca = it
		[it]
		database = $T_TMP/index.txt
		new_certs_dir = $T_TMP
		rand_serial = yes
		default_md = sha256
		policy = any
		[any]
		commonName = supplied
	END
	openssl ca -batch -notext -config "$T_TMP/ca.conf" -cert "$T_TMP/$certificate_ca.ca" \
		-keyfile "$T_TMP/$certificate_ca.ca.key" -in "$T_TMP/$certificate_name.csr" \
		-out "$T_TMP/$certificate_name.pem" -extfile "$T_TMP/$certificate_name.ext" \
		-startdate "$certificate_from" -enddate "$certificate_to" 2>"$T_TMP/ca.log" ||
		bail "openssl ca: $(cat "$T_TMP/ca.log")"
}

# pin_of NAME: prints the pin of that certificate's key.
pin_of() {
	printf 'sha256//'
	openssl pkey -in "$T_TMP/$1.key" -pubout -outform der | openssl dgst -sha256 -binary | \
		base64
}
