/* SPDX-License-Identifier: MIT */
/*
 * The network words of a kernel command line: ip= (the kernel's, klibc's and dracut's forms, IPv4),
 * BOOTIF= (pxelinux) and nameserver= (dracut). Any bytes are safe; what cannot be used is noted.
 *
 *	ip=CLIENT:SERVER:GATEWAY:MASK:HOST:DEVICE:PROTO:DNS0:DNS1	the kernel's nfsroot.rst
 *	ip=DEVICE:PROTO		ip=PROTO				dracut.cmdline(7)
 *
 * PROTO is dhcp, on, any, both (all DHCP), off, none or static (no DHCP), or empty. MASK is dotted
 * or a prefix length; where it is missing the address's class gives it, as in the kernel. DEVICE
 * may also be a MAC address written with dashes, because names differ between kernels.
 */
#ifndef INIT_IP_PARAM_H
#define INIT_IP_PARAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IP_PARAM_MAX 8
#define IP_PARAM_NAME_BYTES 16		/* IFNAMSIZ */
#define IP_PARAM_DNS_MAX 3		/* the resolver asks no more */
#define IP_PARAM_NOTES 8
#define IP_PARAM_NOTE_BYTES 160
#define MAC_BYTES 6

/* All IPv4 addresses in init are numbers in host byte order: 10.0.0.1 is 0x0A000001. 0: none. */
struct ip_param {
	uint32_t address;
	uint32_t gateway;
	uint8_t prefix;				/* 0 to 32; only with an address */
	bool dhcp;				/* ask for an address */
	bool has_mac;
	uint8_t mac[MAC_BYTES];			/* DEVICE as MAC */
	char device[IP_PARAM_NAME_BYTES];	/* DEVICE as name; "": any */
	uint32_t dns[2];
};

struct net_params {
	uint32_t ip_n;
	struct ip_param ip[IP_PARAM_MAX];
	bool off;				/* ip=off or ip=none, and no other ip= */
	bool has_bootif;
	uint8_t bootif[MAC_BYTES];
	uint32_t dns_n;
	uint32_t dns[IP_PARAM_DNS_MAX];		/* nameserver= */
	uint32_t note_n;			/* also those that did not fit */
	char note[IP_PARAM_NOTES][IP_PARAM_NOTE_BYTES];
};

/* Fills `p` from `len` bytes of a command line. */
void ip_param_parse(struct net_params *p, const char *line, size_t len);

/* Dotted decimal, four parts, nothing else around. Returns true and sets *address. */
bool ip_param_address(const char *text, uint32_t *address);

/* A dotted contiguous mask or a number from 0 to 32. Returns true and sets *prefix. */
bool ip_param_mask(const char *text, uint8_t *prefix);

/* The prefix of an address's class (RFC 791): 8, 16 or 24; 32 for the others. */
uint8_t ip_param_class_prefix(uint32_t address);

/* True for an address a host may have: not 0/8, 127/8, multicast, reserved or broadcast. */
bool ip_param_is_host(uint32_t address);

/* True for a text that can name an interface and a file: 1 to 15 printable characters, no '/'. */
bool ip_param_is_name(const char *text);

#define IP_TEXT_BYTES 16
/* Writes the dotted form into `buf` and returns it. */
const char *ip_text(uint32_t address, char buf[IP_TEXT_BYTES]);

#endif
