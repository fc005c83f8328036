# SPDX-License-Identifier: MIT
# Compares a final kernel configuration with what the fragments asked for; names each difference.
#
# usage: awk -f kernel-check.awk FINAL FRAGMENT...
# Exit status 1 when a requested symbol has another value in FINAL (this kernel has no such one, its
# dependencies are not met, or something selects it), when two fragments contradict each other, when
# a fragment's line is not understood, or when FINAL holds a module.

# A symbol that FINAL does not mention is off.
function value_of(sym)
{
	return (sym in final) ? final[sym] : "n"
}

function complain(text)
{
	print text
	bad = 1
}

function base_name(path)
{
	sub(/.*\//, "", path)
	return path
}

# Splits a configuration line into sym and val; false for a comment or an empty line.
function parse(line)
{
	if (line ~ /^# CONFIG_[A-Za-z0-9_]+ is not set$/) {
		sym = substr(line, 3)
		sub(/ is not set$/, "", sym)
		val = "n"
		return 1
	}
	if (line ~ /^CONFIG_[A-Za-z0-9_]+=./) {
		sym = line
		sub(/=.*/, "", sym)
		val = substr(line, length(sym) + 2)
		return 1
	}
	return 0
}

FILENAME == ARGV[1] {
	if (parse($0)) {
		final[sym] = val
		if (val == "m")
			complain(sym "=m in the final config: this kernel has no modules")
	}
	next
}

{
	where = base_name(FILENAME)
	if (!parse($0)) {
		if ($0 ~ /^CONFIG_/ || $0 ~ /^#[ \t]*CONFIG_[A-Za-z0-9_]+ is not/)
			complain(where ":" FNR ": not understood: " $0)
		next
	}
	if (sym in wanted && wanted[sym] != val)
		complain(where ": " sym "=" val " contradicts " origin[sym] " (" wanted[sym] ")")
	wanted[sym] = val
	origin[sym] = where
	if (value_of(sym) != val)
		complain(where ": " sym "=" val " was asked for, the final config has " \
			value_of(sym))
}

END {
	exit bad
}
