/* SPDX-License-Identifier: MIT */
/*
 * Metal or virtual machine, and whose. Asked in order: CPUID (of the running machine only),
 * /sys/hypervisor, DMI, the CPU flag "hypervisor". The clouds also rent metal under the DMI names
 * of their virtual machines: these names count only where the CPU flag says that a hypervisor is
 * there.
 */
#include <string.h>
#include <strings.h>

#include "bench/sys/machine_parts.h"
#include "bench/sys/sysfs.h"
#include "lib/text.h"

static const struct hypervisor_name {
	const char *text, *word;
} hypervisor_names[] = {
	{ "KVMKVMKVM", "kvm" },
	{ "TCGTCGTCGTCG", "qemu" },
	{ "VMwareVMware", "vmware" },
	{ "Microsoft Hv", "microsoft" },
	{ "XenVMMXenVMM", "xen" },
	{ "VBoxVBoxVBox", "virtualbox" },
	{ "bhyve bhyve ", "bhyve" },
	{ " lrpepyh  vr", "parallels" },
	{ "prl hyperv  ", "parallels" },
	{ "ACRNACRNACRN", "acrn" },
	{ "QNXQVMBSQG", "qnx" },
	{ "EVMMEVMMEVMM", "intel" },
};

/* Each part that is given begins the text (in vendor, product, board vendor or BIOS vendor). */
static const struct name {
	const char *vendor, *product, *word;
	bool may_be_metal;
} names[] = {
	{ "QEMU", "", "qemu", false },
	{ "VMware", "", "vmware", false },
	{ "innotek GmbH", "", "virtualbox", false },
	{ "Oracle Corporation", "VirtualBox", "virtualbox", false },
	{ "Xen", "", "xen", false },
	{ "Bochs", "", "bochs", false },
	{ "Parallels", "", "parallels", false },
	{ "BHYVE", "", "bhyve", false },
	{ "Microsoft Corporation", "Virtual Machine", "microsoft", false },
	{ "Apple Inc.", "Apple Virtualization", "apple", false },
	{ "Red Hat", "KVM", "kvm", false },
	{ "", "KVM", "kvm", false },
	{ "", "Standard PC", "qemu", false },
	{ "", "OpenStack", "kvm", true },
	{ "OpenStack", "", "kvm", true },
	{ "Amazon EC2", "", "amazon", true },
	{ "Google", "Google Compute Engine", "google", true },
	{ "Alibaba Cloud", "", "alibaba", true },
	{ "Tencent Cloud", "", "tencent", true },
	{ "DigitalOcean", "", "digitalocean", true },
	{ "Hetzner", "", "hetzner", true },
	{ "Scaleway", "", "scaleway", true },
	{ "Nutanix", "AHV", "nutanix", false },
	{ "oVirt", "", "kvm", false },
};

static bool begins(const char *text, const char *start)
{
	return !strncasecmp(text, start, strlen(start));
}

static const char *by_dmi(const struct machine_info *m, bool has_hypervisor)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const struct name *n = &names[i];
		bool vendor_holds = !n->vendor[0] || begins(m->vendor, n->vendor) ||
			begins(m->board.vendor, n->vendor) || begins(m->bios.vendor, n->vendor);

		if (vendor_holds && (!n->product[0] || begins(m->product, n->product)) &&
		    (has_hypervisor || !n->may_be_metal))
			return n->word;
	}
	return NULL;
}

static const char *by_cpuid(void)
{
	char text[13];

	if (!hypervisor_signature(text))
		return NULL;
	for (size_t i = 0; i < sizeof(hypervisor_names) / sizeof(*hypervisor_names); i++)
		if (!strcmp(text, hypervisor_names[i].text))
			return hypervisor_names[i].word;
	return NULL;
}

void virt_read(const char *root, struct machine_info *m)
{
	bool has_hypervisor = false, flags_known = cpu_read_hypervisor(root, &has_hypervisor);
	char dir[SYSFS_PATH_BYTES], type[32];
	const char *word = root[0] ? NULL : by_cpuid();

	if (!word && sysfs_join(dir, root, "sys/hypervisor") &&
	    sysfs_read_text(dir, "type", type, sizeof(type)))
		word = type;
	if (!word)
		word = by_dmi(m, has_hypervisor);
	if (!word && flags_known)
		word = has_hypervisor ? "other" : "none";
	text_copy(m->virtualisation, sizeof(m->virtualisation), word ? word : "");
}
