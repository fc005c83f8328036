/* SPDX-License-Identifier: MIT */
/* Cases of the finding rules over the network. */
#include "bench/model/fields.h"
#include "tests/unit/findings_cases.h"
#include "tests/unit/report_fixtures.h"

static void nic_degraded(struct report *r)
{
	r->machine.nic[0].speed_mbit_per_s = 1000;
	r->machine.nic[0].max_mbit_per_s = 10000;
	SET(r->machine.nic[0].model, "Ethernet Controller X550");
}

static void nic_slow(struct report *r)
{
	r->machine.nic[0].speed_mbit_per_s = 100;
}

static void nic_max_unknown(struct report *r)
{
	r->machine.nic[0].max_mbit_per_s = -1;
}

static void nic_down(struct report *r)
{
	r->machine.nic[1].max_mbit_per_s = 10000;
	r->machine.nic[1].speed_mbit_per_s = 10;
}

static void nic_slow_by_itself(struct report *r)
{
	r->machine.nic[0].speed_mbit_per_s = r->machine.nic[0].max_mbit_per_s = 100;
}

static void half(struct report *r)
{
	SET(r->machine.nic[0].duplex, "half");
}

static void half_down(struct report *r)
{
	SET(r->machine.nic[1].duplex, "half");
}

static void unplugged(struct report *r)
{
	r->machine.nic[0].carrier = false;
}

static void no_nic(struct report *r)
{
	r->machine.nic_n = 0;
}

static void dead_node(struct report *r)
{
	result_end(findings_result(r, "net-node", "network", "speedtest.example.net"),
			RESULT_FAILED,
		   "no connection to 192.0.2.7: connection refused");
}

static void left_out_node(struct report *r)
{
	result_end(findings_result(r, "net-node", "network", "a"), RESULT_SKIPPED, "no time");
}

static void slow_transfer(struct report *r)
{
	(void)result_metric(findings_result(r, "net-collector", "network", "c.example.net"),
			"download",
			    UNIT_BYTES_PER_S, 24e6);
}

static void good_transfer(struct report *r)
{
	(void)result_metric(findings_result(r, "net-collector", "network", "c.example.net"),
			"download",
			    UNIT_BYTES_PER_S, 25e6);
}

static void far_node(struct report *r)
{
	(void)result_metric(findings_result(r, "net-node", "network", "n.example.net"), "download",
			    UNIT_BYTES_PER_S, 1e6);
}

static void speed_unknown(struct report *r)
{
	slow_transfer(r);
	r->machine.nic[0].speed_mbit_per_s = -1;
}

static void errors_now(struct report *r)
{
	result_mark(findings_result(r, "net-collector", "network", "c.example.net"), "errors",
		    "while bytes moved, eth0 counted 14 receive errors");
}

static void errors_before(struct report *r)
{
	result_mark(findings_result(r, "net-link", "network", "eth0"), "errors",
		    "since the system started, 3 frames came in damaged");
}

static void errors_none(struct report *r)
{
	(void)result_metric(findings_result(r, "net-link", "network", "eth0"), "rx_errors",
			UNIT_COUNT, 0);
}

static const struct finding_case cases_network_rows[] = {
	SPEAKS("nic-link", nic_degraded, WARNING, "eth0",
	  "eth0 (Ethernet Controller X550) is linked at 1 Gb/s, it can do 10 Gb/s."),
	SPEAKS("nic-link", nic_slow, WARNING, "eth0",
	  "eth0 (igb) is linked at 100 Mb/s, it can do 1 Gb/s."),
	IS_SILENT("nic-link", nic_max_unknown),
	IS_SILENT("nic-link", nic_down),
	SPEAKS("slow-link", nic_slow_by_itself, WARNING, "eth0",
	  "eth0 (igb) is linked at 100 Mb/s, below 1 Gb/s."),
	IS_SILENT("slow-link", nic_slow),
	SPEAKS("half-duplex", half, WARNING, "eth0",
	  "eth0 (igb) sends or receives, but not both at a time (half duplex)."),
	IS_SILENT("half-duplex", half_down),
	SPEAKS("no-link", unplugged, WARNING, "",
	  "No network interface has a link: eth0, eth1."),
	IS_SILENT("no-link", no_nic),
	SPEAKS("net-unreachable", dead_node, INFO, "speedtest.example.net",
	  "net-node of speedtest.example.net was not measured: no connection to 192.0.2.7: "
	  "connection refused."),
	IS_SILENT("net-unreachable", left_out_node),
	SPEAKS("net-slow", slow_transfer, INFO, "c.example.net",
	  "The download from c.example.net brought 24.0 MB/s, of the 125 MB/s that the link of "
	  "1 Gb/s could carry."),
	IS_SILENT("net-slow", good_transfer),
	IS_SILENT("net-slow", far_node),
	IS_SILENT("net-slow", speed_unknown),
	SPEAKS("net-errors", errors_now, WARNING, "c.example.net",
	  "net-collector of c.example.net: while bytes moved, eth0 counted 14 receive errors."),
	SPEAKS("net-errors", errors_before, INFO, "eth0",
	  "net-link of eth0: since the system started, 3 frames came in damaged."),
	IS_SILENT("net-errors", errors_none),
};
CASES(cases_network);
