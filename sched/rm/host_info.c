/* SPDX-License-Identifier: MIT */
/*
 * host_info.c - hardware and cgroups of this host
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host_info_inside.h"
#include "sched/base/vec.h"

/* --- text files of the kernel in /proc and /sys ------------------------------------------------------- */

/*
 * Files in /proc and /sys have no size: they are read to their end, at most KERNEL_TEXT bytes. Opening never
 * blocks, so that a FIFO in place of a file does no harm.
 */

const char *kernel_root(const char *root)
{
	return strcmp(root, "/") == 0 ? "" : root;
}

static bool read_all(int fd, struct str *out)
{
	char part[4096];

	while (out->len < KERNEL_TEXT) {
		ssize_t n = read(fd, part, sizeof part);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n == 0;
		str_add_bytes(out, part, (size_t)n);
	}
	return true;
}

static bool read_text(struct str *out, const char *path, va_list words)
{
	struct str name = {0};

	str_clear(out);
	str_addv(&name, path, words);
	int fd = open(str_text(&name), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
	str_free(&name);
	if (fd < 0)
		return false;
	bool good = read_all(fd, out);
	close(fd);
	if (!good)
		str_clear(out);
	while (out->len > 0 && strchr(" \t\n", out->data[out->len - 1]) != NULL)
		out->data[--out->len] = '\0';
	return good;
}

bool kernel_text(struct str *out, const char *path, ...)
{
	va_list words;

	va_start(words, path);
	bool good = read_text(out, path, words);
	va_end(words);
	return good;
}

bool kernel_number(int64_t *out, const char *path, ...)
{
	struct str text = {0};
	va_list words;

	va_start(words, path);
	bool good = read_text(&text, path, words) && str_read_whole(str_text(&text), out);
	va_end(words);
	str_free(&text);
	return good;
}

/*
 * Returns the text after the label at the beginning of a line, without leading blanks; NULL if no line begins
 * with the label.
 */
static const char *behind(const char *text, const char *label)
{
	size_t len = strlen(label);

	while (text != NULL && strncmp(text, label, len) != 0) {
		text = strchr(text, '\n');
		if (text != NULL)
			text++;
	}
	return text == NULL ? NULL : text + len + strspn(text + len, " \t");
}

bool kernel_line(const char *text, const char *label, struct str *out)
{
	const char *value = behind(text, label);

	str_clear(out);
	if (value == NULL)
		return false;
	str_add_bytes(out, value, strcspn(value, "\n"));
	return true;
}

bool kernel_line_number(const char *text, const char *label, int64_t *out)
{
	const char *value = behind(text, label);
	char digits[24] = "";

	if (value == NULL)
		return false;
	size_t len = strcspn(value, " \t\n");
	if (len >= sizeof digits)
		return false;
	memcpy(digits, value, len);
	return str_read_whole(digits, out);
}

bool kernel_has_word(const char *text, const char *word)
{
	size_t len = strlen(word);

	while (*text != '\0') {
		size_t here = strcspn(text, " \t\n");

		if (here == len && strncmp(text, word, len) == 0)
			return true;
		text += here;
		text += strspn(text, " \t\n");
	}
	return false;
}

/* --- lists of processors such as "0-3,8" -------------------------------------------------------------- */

/*
 * The format of the kernel: ascending ranges separated by commas; "" is the empty list. Because the IDs
 * ascend, a list contains no processor twice.
 */

struct range {
	uint32_t first, last;
};

static bool take_id(const char **at, uint32_t *out)
{
	uint32_t id = 0;
	const char *c = *at;

	for (; *c >= '0' && *c <= '9'; c++) {
		id = id * 10 + (uint32_t)(*c - '0');
		if (id > UINT16_MAX)
			return false;
	}
	if (c == *at)
		return false;
	*at = c;
	*out = id;
	return true;
}

/* Parses one range and the comma after it, and advances *at. `next` is the smallest permitted ID. */
static bool take_range(const char **at, uint32_t next, struct range *out)
{
	if (!take_id(at, &out->first))
		return false;
	out->last = out->first;
	if (**at == '-') {
		++*at;
		if (!take_id(at, &out->last))
			return false;
	}
	if (out->first < next || out->last < out->first)
		return false;
	if (**at == ',') {
		++*at;
		return **at != '\0';
	}
	return **at == '\0';
}

bool cpu_set_read(const char *text, struct cpu_set *out)
{
	struct range r = {0};

	memset(out, 0, sizeof *out);
	for (uint32_t next = 0; *text != '\0'; next = r.last + 1) {
		if (!take_range(&text, next, &r))
			return false;
		for (uint32_t id = r.first; id <= r.last && id < HOST_CPUS_MAX; id++)
			out->has[id] = true;
	}
	return true;
}

bool host_info_read_cpus(const char *text, uint16_t *id, size_t room, size_t *count, struct err *err)
{
	const char *at = text;
	struct range r = {0};

	*count = 0;
	for (uint32_t next = 0; *at != '\0'; next = r.last + 1) {
		if (!take_range(&at, next, &r))
			return err_set(
				err,
				"\"%s\" is not a list of processors; write ascending numbers and ranges, "
				"such as 0-3,8",
				text);
		if (r.last - r.first >= room - *count)
			return err_set(err, "\"%s\" contains more than %zu processors", text, room);
		for (uint32_t i = r.first; i <= r.last; i++)
			id[(*count)++] = (uint16_t)i;
	}
	return true;
}

void host_info_list_cpus(const uint16_t *id, size_t count, struct str *out)
{
	size_t end;

	for (size_t i = 0; i < count; i = end) {
		for (end = i + 1; end < count && id[end] == id[end - 1] + 1; end++)
			;
		str_addf(out, i > 0 ? ",%u" : "%u", id[i]);
		if (end - i > 1)
			str_addf(out, "-%u", id[end - 1]);
	}
}

/* --- usable processors, by core and NUMA domain ------------------------------------------------------- */

/*
 * Kahu uses the processors that are online and in the affinity mask of this process, which a container or an
 * operator may have set. Processors that the kernel lists as siblings belong to one core, which is identified
 * by the smallest of their IDs. Without a list of siblings, processors with the same core_id and package
 * belong to one core; without a core_id, each processor is a core. Processors are sorted by domain, core and
 * ID.
 *
 * Processors numbered HOST_CPUS_MAX and above are ignored, because no job could be bound to them (cpu_set_t).
 */

#define ROOM_IDS 65536 /* maximum number of processors of any kernel */

#define SYS_CPU "%s/sys/devices/system/cpu"

#define SYS_NODE "%s/sys/devices/system/node"

#define CORE_ID_OF INT64_C(0x100000000) /* keys made from a core_id begin here, above all processor IDs */

/* A usable processor being sorted. */
struct found {
	struct cpu cpu;
	int64_t core_key; /* equal for all processors of a core */
};

/* --- usable processors ---------------------------------------------------------------------- */

static bool ask_mask(struct cpu_set *out)
{
	cpu_set_t *mask = CPU_ALLOC(ROOM_IDS);
	size_t size = CPU_ALLOC_SIZE(ROOM_IDS);

	if (mask == NULL)
		return false;
	CPU_ZERO_S(size, mask);
	bool good = sched_getaffinity(0, size, mask) == 0;
	for (size_t id = 0; id < HOST_CPUS_MAX; id++)
		out->has[id] = good && CPU_ISSET_S(id, size, mask);
	CPU_FREE(mask);
	return good;
}

static bool read_mask(const char *root, struct cpu_set *out)
{
	struct str status = {0};
	struct str list = {0};
	bool good = kernel_text(&status, "%s/proc/self/status", root) &&
		    kernel_line(str_text(&status), "Cpus_allowed_list:", &list) &&
		    cpu_set_read(str_text(&list), out);

	str_free(&status);
	str_free(&list);
	return good;
}

/*
 * Finds the processors that are both allowed and online. A list that cannot be read excludes no processor.
 * Returns false if neither list can be read.
 */
static bool read_ours(const char *root, struct cpu_set *out)
{
	struct cpu_set online;
	struct str list = {0};
	bool have_mask = *root == '\0' ? ask_mask(out) : read_mask(root, out);
	bool have_online =
		kernel_text(&list, SYS_CPU "/online", root) && cpu_set_read(str_text(&list), &online);

	str_free(&list);
	if (!have_mask && have_online)
		*out = online;
	for (size_t id = 0; have_mask && have_online && id < HOST_CPUS_MAX; id++)
		out->has[id] = out->has[id] && online.has[id];
	return have_mask || have_online;
}

/* --- cores and domains of processors -------------------------------------------------------- */

static int64_t smallest_of(const struct cpu_set *set)
{
	for (int64_t id = 0; id < HOST_CPUS_MAX; id++)
		if (set->has[id])
			return id;
	return -1;
}

/*
 * Returns the smallest ID among the siblings of a processor; -1 if siblings are not listed, or the list does
 * not include the processor.
 */
static int64_t read_siblings(const char *root, uint16_t id)
{
	struct cpu_set siblings;
	struct str list = {0};
	bool good = kernel_text(&list, SYS_CPU "/cpu%u/topology/thread_siblings_list", root, id) &&
		    cpu_set_read(str_text(&list), &siblings) && siblings.has[id];

	str_free(&list);
	return good ? smallest_of(&siblings) : -1;
}

static int64_t read_core_key(const char *root, uint16_t id)
{
	int64_t core = 0;
	int64_t package = 0;
	int64_t first = read_siblings(root, id);

	if (first >= 0)
		return first;
	if (!kernel_number(&core, SYS_CPU "/cpu%u/topology/core_id", root, id) || core < 0 ||
	    core > UINT16_MAX)
		return id;
	if (!kernel_number(&package, SYS_CPU "/cpu%u/topology/physical_package_id", root, id) ||
	    package < 0 || package > UINT16_MAX)
		package = 0;
	return CORE_ID_OF + package * ROOM_IDS + core;
}

/* "node12" -> 12; -1: not a folder of a NUMA domain. */
static int64_t domain_number(const char *name)
{
	int64_t number;

	if (strncmp(name, "node", 4) != 0 || !str_read_whole(name + 4, &number) || number < 0 ||
	    number > UINT16_MAX)
		return -1;
	return number;
}

/*
 * Sets numa[id] to the domain that lists the processor, the smallest if several do. Does not change the
 * entries of other processors.
 */
static void read_domains(const char *root, uint16_t numa[static HOST_CPUS_MAX])
{
	struct str text = {0};
	struct cpu_set set;
	struct cpu_set taken = {{false}};

	str_addf(&text, SYS_NODE, root);
	DIR *folder = opendir(str_text(&text));
	for (struct dirent *e = folder ? readdir(folder) : NULL; e != NULL; e = readdir(folder)) {
		int64_t number = domain_number(e->d_name);

		if (number < 0 || !kernel_text(&text, SYS_NODE "/%s/cpulist", root, e->d_name) ||
		    !cpu_set_read(str_text(&text), &set))
			continue;
		for (size_t id = 0; id < HOST_CPUS_MAX; id++) {
			if (set.has[id] && (!taken.has[id] || number < numa[id]))
				numa[id] = (uint16_t)number;
			taken.has[id] = taken.has[id] || set.has[id];
		}
	}
	if (folder != NULL)
		closedir(folder);
	str_free(&text);
}

/* --- order of processors -------------------------------------------------------------------- */

static int compare_found(const void *left, const void *right)
{
	const struct found *a = left;
	const struct found *b = right;

	if (a->cpu.numa != b->cpu.numa)
		return a->cpu.numa < b->cpu.numa ? -1 : 1;
	if (a->core_key != b->core_key)
		return a->core_key < b->core_key ? -1 : 1;
	return a->cpu.id < b->cpu.id ? -1 : 1;
}

/* Sorts the processors, numbers their cores in this order and counts the domains. */
static void put_in_order(struct found *found, uint32_t count, struct host_info *out)
{
	qsort(found, count, sizeof *found, compare_found);
	out->cpu_count = count;
	out->core_count = out->numa_count = 0;
	for (uint32_t i = 0; i < count; i++) {
		bool other_numa = i == 0 || found[i].cpu.numa != found[i - 1].cpu.numa;

		out->numa_count += other_numa;
		out->core_count += other_numa || found[i].core_key != found[i - 1].core_key;
		out->cpu[i] = found[i].cpu;
		out->cpu[i].core = (uint16_t)(out->core_count - 1);
	}
}

static bool host_info_read_processors(const char *root, struct host_info *out, struct err *err)
{
	uint16_t numa[HOST_CPUS_MAX] = {0};
	struct cpu_set ours;
	uint32_t count = 0;

	if (!read_ours(root, &ours) || smallest_of(&ours) < 0)
		return err_set(err,
			       "no usable processor found in %s/proc/self/status and " SYS_CPU
			       "/online; are /proc and /sys mounted?",
			       root, root);
	struct found *found = mem_zero(HOST_CPUS_MAX, sizeof *found);
	read_domains(root, numa);
	for (uint16_t id = 0; id < HOST_CPUS_MAX; id++)
		if (ours.has[id])
			found[count++] = (struct found){.cpu = {.id = id, .numa = numa[id]},
							.core_key = read_core_key(root, id)};
	put_in_order(found, count, out);
	free(found);
	return true;
}

/* --- memory for jobs ---------------------------------------------------------------------------------- */

/*
 * Jobs can use the memory of the host, or the limit of the scheduler's cgroup if that is less, because their
 * cgroups are below it. The limits of all parent cgroups apply, too; version 1 reports the smallest of them
 * itself.
 */

#define KB_PER_MB 1024

/*
 * Returns the smallest limit, in bytes, that `file` contains in the cgroup of this process or one of its
 * parents up to the mount point. A limit of "max" does not count; INT64_MAX if there is no limit.
 */
static int64_t smallest_bound(const struct cgroup_place *place, const char *file)
{
	struct str folder = {0};
	int64_t smallest = INT64_MAX;

	str_add(&folder, str_text(&place->folder));
	while (folder.len >= place->mount.len) {
		int64_t bytes;

		if (kernel_number(&bytes, "%s/%s", str_text(&folder), file) && bytes >= 0 && bytes < smallest)
			smallest = bytes;
		const char *slash =
			strrchr(str_text(&folder), '/'); /* never NULL: the mount point begins with a slash */
		folder.len = (size_t)(slash - folder.data);
		folder.data[folder.len] = '\0';
	}
	str_free(&folder);
	return smallest;
}

static int64_t bound_of_version_1(const char *root)
{
	struct cgroup_place place;
	struct str text = {0};
	int64_t bytes = INT64_MAX;

	if (cgroup_find(root, "memory", &place) &&
	    kernel_text(&text, "%s/memory.stat", str_text(&place.folder)))
		kernel_line_number(str_text(&text), "hierarchical_memory_limit", &bytes);
	str_free(&text);
	cgroup_place_free(&place);
	return bytes >= 0 ? bytes : INT64_MAX;
}

static void lower(int64_t *mb, int64_t bytes)
{
	if (bytes / (KB_PER_MB * 1024) < *mb)
		*mb = bytes / (KB_PER_MB * 1024);
}

void host_info_read_memory(const char *root, struct host_info *out)
{
	struct str text = {0};
	struct cgroup_place place;
	int64_t kb;

	out->mem_mb = out->swap_mb = 0;
	if (kernel_text(&text, "%s/proc/meminfo", root)) {
		if (kernel_line_number(str_text(&text), "MemTotal:", &kb) && kb > 0)
			out->mem_mb = kb / KB_PER_MB;
		if (kernel_line_number(str_text(&text), "SwapTotal:", &kb) && kb > 0)
			out->swap_mb = kb / KB_PER_MB;
	}
	str_free(&text);
	lower(&out->mem_mb, bound_of_version_1(root));
	if (cgroup_find(root, NULL, &place)) {
		lower(&out->mem_mb, smallest_bound(&place, "memory.max"));
		lower(&out->swap_mb, smallest_bound(&place, "memory.swap.max"));
	}
	cgroup_place_free(&place);
}

/* --- GPUs --------------------------------------------------------------------------------------------- */

/*
 * The NVIDIA driver has a folder for each GPU, named after the bus address, with a file that contains the
 * UUID. Before the driver has initialized the hardware, the UUID is "GPU-????????-...": then all NVIDIA GPUs
 * are named by their index in bus order, because indices and UUIDs must not be mixed in one list. The AMD
 * driver lists nodes; the nodes with vector units (simd_count) are GPUs, which are numbered in the order of
 * the list.
 */

#define NVIDIA "%s/proc/driver/nvidia/gpus"

#define AMD "%s/sys/class/kfd/kfd/topology/nodes"

#define ENTRIES 1024 /* maximum number of entries read from a folder */

/* Can the text be an item of a list in an environment variable? */
static bool is_name(const char *text, size_t len)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:/";

	return len > 0 && len < DEVICE_NAME && strspn(text, letters) >= len;
}

static void add(struct host_info *out, const char *id, size_t len, const char *kind, uint16_t numa,
		int64_t node)
{
	if (out->device_count == HOST_DEVICES_MAX || !is_name(id, len))
		return;
	struct device *d = &out->device[out->device_count++];
	*d = (struct device){.numa = numa, .node = (int16_t)(node < 0 || node > INT16_MAX ? -1 : node)};
	memcpy(d->id, id, len);
	snprintf(d->kind, sizeof d->kind, "%s", kind);
}

static void add_number(struct host_info *out, uint32_t number, const char *kind, uint16_t numa, int64_t node)
{
	char id[16];
	int len = snprintf(id, sizeof id, "%" PRIu32, number);

	add(out, id, (size_t)len, kind, numa, node);
}

/* Returns the NUMA domain of a PCI device; 0 if the firmware does not report it (the kernel shows -1). */
static uint16_t domain_of(const char *root, const char *bus)
{
	int64_t numa;

	if (!kernel_number(&numa, "%s/sys/bus/pci/devices/%s/numa_node", root, bus) || numa < 0 ||
	    numa > UINT16_MAX)
		return 0;
	return (uint16_t)numa;
}

/* --- sorted folders ------------------------------------------------------------------------ */

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

/*
 * Returns the entries of a folder whose names is_name() accepts, at most ENTRIES, sorted by length and then
 * by name. Release with free().
 */
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

/* Returns N of /dev/nvidiaN. If the driver does not report it, devices are numbered in bus order. */
static int64_t read_minor(const char *root, const char *bus, uint32_t number)
{
	struct str text = {0};
	int64_t minor;
	bool said = kernel_text(&text, NVIDIA "/%s/information", root, bus) &&
		    kernel_line_number(str_text(&text), "Device Minor:", &minor);

	str_free(&text);
	return said ? minor : number;
}

static void read_nvidia(const char *root, struct host_info *out)
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

/*
 * Returns the NUMA domain of a GPU. location_id contains its PCI bus, device and function in 8, 5 and 3 bits.
 */
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

static void read_amd(const char *root, struct host_info *out)
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

/* --- a list from the configuration ------------------------------------------------------- */

static bool is_there(const struct host_info *host, const char *id, size_t len)
{
	for (uint32_t i = 0; i < host->device_count; i++)
		if (strlen(host->device[i].id) == len && memcmp(host->device[i].id, id, len) == 0)
			return true;
	return false;
}

/* Returns the number if the name is one, for use as N of /dev/nvidiaN; otherwise -1. */
static int64_t number_in(const char *name, size_t len)
{
	char digits[DEVICE_NAME] = "";
	int64_t number;

	memcpy(digits, name, len);
	return str_read_whole(digits, &number) ? number : -1;
}

static bool take_list(const char *list, struct host_info *out, struct err *err)
{
	for (const char *at = list; *at != '\0';) {
		size_t len = strcspn(at, ",");

		if (!is_name(at, len) || is_there(out, at, len) || (at[len] == ',' && at[len + 1] == '\0'))
			return err_set(err,
				       "\"%s\" is not a list of devices; write numbers or names separated by "
				       "commas, each only once",
				       list);
		if (out->device_count == HOST_DEVICES_MAX)
			return err_set(err, "\"%s\" contains more than %d devices", list, HOST_DEVICES_MAX);
		add(out, at, len, "listed", 0, number_in(at, len));
		at += len + (at[len] == ',');
	}
	return true;
}

bool host_info_read_devices(const char *root, const char *devices, struct host_info *out, struct err *err)
{
	out->device_count = 0;
	if (devices != NULL)
		return take_list(devices, out, err);
	read_nvidia(root, out);
	read_amd(root, out);
	return true;
}

/* --- hardware and cgroups of this host ---------------------------------------------------------------- */

/* Reads the host name. Characters that node names cannot have are replaced by '_'. */
static void read_name(const char *root, struct host_info *out)
{
	struct str text = {0};

	if (kernel_text(&text, "%s/proc/sys/kernel/hostname", root) && text.len > 0)
		snprintf(out->hostname, sizeof out->hostname, "%s", str_text(&text));
	else
		snprintf(out->hostname, sizeof out->hostname, "localhost");
	str_free(&text);
	for (char *c = out->hostname; *c != '\0'; c++)
		if (!(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z') && !(*c >= '0' && *c <= '9') &&
		    *c != '.' && *c != '-')
			*c = '_';
}

bool host_info_read(const char *root, const char *devices, struct host_info *out, struct err *err)
{
	const char *prefix = kernel_root(root);
	struct str why = {0};

	memset(out, 0, sizeof *out);
	if (!host_info_read_processors(prefix, out, err) ||
	    !host_info_read_devices(prefix, devices, out, err))
		return false;
	read_name(prefix, out);
	host_info_read_memory(prefix, out);
	out->level = host_info_cgroup(root, out->cgroup, sizeof out->cgroup, &why);
	str_free(&why);
	return true;
}
