/* SPDX-License-Identifier: MIT */
/*
 * facts_device.c - which graphics processors are here?
 *
 * NVIDIA's driver has a folder for each, named by its place on the bus, with its UUID. A driver that has not
 * touched the hardware yet says "GPU-????????-...": then all of NVIDIA's are named by their number in
 * the order of the bus, since names and numbers must not be mixed in one list. AMD's driver has a row of
 * nodes; those with vector units (simd_count) are numbered in that order.
 */
#include "facts_inside.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sched/base/vec.h"

#define NVIDIA  "%s/proc/driver/nvidia/gpus"
#define AMD     "%s/sys/class/kfd/kfd/topology/nodes"
#define ENTRIES 1024 /* of one folder that are looked at */

/* May it stand in a list of an environment variable? */
static bool is_name(const char *text, size_t len)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/";

	return len > 0 && len < DEVICE_NAME && strspn(text, letters) >= len;
}

static void add(struct facts *out, const char *id, size_t len, const char *kind, uint16_t numa, int64_t node)
{
	if (out->device_count == FACTS_DEVICES_MAX || !is_name(id, len))
		return;
	struct device *d = &out->device[out->device_count++];
	*d = (struct device){.numa = numa, .node = (int16_t)(node < 0 || node > INT16_MAX ? -1 : node)};
	memcpy(d->id, id, len);
	snprintf(d->kind, sizeof d->kind, "%s", kind);
}

static void add_number(struct facts *out, uint32_t number, const char *kind, uint16_t numa, int64_t node)
{
	char id[16];
	int len = snprintf(id, sizeof id, "%" PRIu32, number);

	add(out, id, (size_t)len, kind, numa, node);
}

/* 0 where the board does not say (the kernel shows -1). */
static uint16_t domain_of(const char *root, const char *bus)
{
	int64_t numa;

	if (!kernel_number(&numa, "%s/sys/bus/pci/devices/%s/numa_node", root, bus) || numa < 0 ||
	    numa > UINT16_MAX)
		return 0;
	return (uint16_t)numa;
}

/* --- folders, in their order ------------------------------------------------------------------ */

struct entries {
	char name[ENTRIES][32];
	uint32_t count;
};

static int compare_names(const void *a, const void *b)
{
	const char *left = a;
	const char *right = b;
	size_t left_len = strlen(left);
	size_t right_len = strlen(right);

	if (left_len != right_len)
		return left_len < right_len ? -1 : 1;
	return strcmp(left, right);
}

/* Names of letters and digits only; more than ENTRIES are not looked at. Release with free(). */
static struct entries *list_entries(const char *path)
{
	struct entries *list = mem_zero(1, sizeof *list);
	DIR *folder = opendir(path);

	for (struct dirent *e = folder ? readdir(folder) : NULL; e != NULL && list->count < ENTRIES;
	     e = readdir(folder)) {
		size_t len = strlen(e->d_name);

		if (e->d_name[0] == '.' || len >= sizeof list->name[0] || !is_name(e->d_name, len))
			continue;
		memcpy(list->name[list->count++], e->d_name, len + 1);
	}
	if (folder != NULL)
		closedir(folder);
	qsort(list->name, list->count, sizeof list->name[0], compare_names);
	return list;
}

/* --- NVIDIA --------------------------------------------------------------------------------------- */

static bool read_uuid(const char *root, const char *bus, struct str *uuid)
{
	struct str text = {0};
	bool good = kernel_text(&text, NVIDIA "/%s/information", root, bus) &&
		    kernel_line(str_text(&text), "GPU UUID:", uuid) && is_name(str_text(uuid), uuid->len);

	str_free(&text);
	return good;
}

/* Where the driver does not say, they are numbered in this order. */
static int64_t read_minor(const char *root, const char *bus, uint32_t number)
{
	struct str text = {0};
	int64_t minor;
	bool said = kernel_text(&text, NVIDIA "/%s/information", root, bus) &&
		    kernel_line_number(str_text(&text), "Device Minor:", &minor);

	str_free(&text);
	return said ? minor : number;
}

static void read_nvidia(const char *root, struct facts *out)
{
	struct str text = {0};
	bool named = true;

	str_addf(&text, NVIDIA, root);
	struct entries *bus = list_entries(str_text(&text));
	for (uint32_t i = 0; i < bus->count; i++)
		named = named && read_uuid(root, bus->name[i], &text);
	for (uint32_t i = 0; i < bus->count; i++) {
		uint16_t numa = domain_of(root, bus->name[i]);
		int64_t node = read_minor(root, bus->name[i], i);

		if (!named)
			add_number(out, i, "nvidia", numa, node);
		else if (read_uuid(root, bus->name[i], &text))
			add(out, str_text(&text), text.len, "nvidia", numa, node);
	}
	free(bus);
	str_free(&text);
}

/* --- AMD ---------------------------------------------------------------------------------------- */

/* location_id holds bus, device and function as PCI numbers them: 8, 5 and 3 bits. */
static uint16_t domain_of_node(const char *root, const char *properties)
{
	int64_t domain = 0;
	int64_t place;
	char bus[32];

	kernel_line_number(properties, "domain ", &domain);
	if (!kernel_line_number(properties, "location_id ", &place))
		return 0;
	snprintf(bus, sizeof bus, "%04x:%02x:%02x.%x", (unsigned)domain & 0xffffffu,
		 (unsigned)place >> 8 & 0xffu, (unsigned)place >> 3 & 0x1fu, (unsigned)place & 7u);
	return domain_of(root, bus);
}

static void read_amd(const char *root, struct facts *out)
{
	struct str text = {0};
	uint32_t number = 0;

	str_addf(&text, AMD, root);
	struct entries *node = list_entries(str_text(&text));
	for (uint32_t i = 0; i < node->count; i++) {
		int64_t units, minor = -1;

		if (!kernel_text(&text, AMD "/%s/properties", root, node->name[i]) ||
		    !kernel_line_number(str_text(&text), "simd_count ", &units) || units <= 0)
			continue;
		kernel_line_number(str_text(&text), "drm_render_minor ", &minor);
		add_number(out, number++, "amd", domain_of_node(root, str_text(&text)), minor);
	}
	free(node);
	str_free(&text);
}

/* --- a list ----------------------------------------------------------------------------------------- */

static bool is_there(const struct facts *facts, const char *id, size_t len)
{
	for (uint32_t i = 0; i < facts->device_count; i++)
		if (strlen(facts->device[i].id) == len && memcmp(facts->device[i].id, id, len) == 0)
			return true;
	return false;
}

/* Of a name that is a number, which is taken for NVIDIA's; -1 of others. */
static int64_t number_in(const char *name, size_t len)
{
	char digits[DEVICE_NAME] = "";
	int64_t number;

	memcpy(digits, name, len);
	return str_read_whole(digits, &number) ? number : -1;
}

static bool take_list(const char *list, struct facts *out, struct err *err)
{
	for (const char *at = list; *at != '\0';) {
		size_t len = strcspn(at, ",");

		if (!is_name(at, len) || is_there(out, at, len) || (at[len] == ',' && at[len + 1] == '\0'))
			return err_set(err,
				       "\"%s\" is not a list of devices: numbers or names parted by commas, "
				       "each once, are one",
				       list);
		if (out->device_count == FACTS_DEVICES_MAX)
			return err_set(err, "\"%s\" names more than %d devices", list, FACTS_DEVICES_MAX);
		add(out, at, len, "listed", 0, number_in(at, len));
		at += len + (at[len] == ',');
	}
	return true;
}

bool facts_read_devices(const char *root, const char *devices, struct facts *out, struct err *err)
{
	out->device_count = 0;
	if (devices != NULL)
		return take_list(devices, out, err);
	read_nvidia(root, out);
	read_amd(root, out);
	return true;
}
