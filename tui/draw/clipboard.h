/* SPDX-License-Identifier: MIT */
/*
 * clipboard.h - how does text reach the clipboard of the terminal, also over ssh?
 *
 * By OSC 52: the terminal takes a sequence with the text in base64 (RFC 4648).
 */
#ifndef DRAW_CLIPBOARD_H
#define DRAW_CLIPBOARD_H

#include <stdbool.h>
#include <stddef.h>

struct str; /* sched/base/str.h */

#define CLIPBOARD_MAX 56000 /* bytes of text; terminals refuse longer sequences */

/* False for terminal types that would print the sequence instead of obeying it. */
bool clipboard_is_known(const char *type);

/* Appends the sequence that puts text[0..len) on the clipboard; len at most CLIPBOARD_MAX. */
void clipboard_sequence(struct str *out, const char *text, size_t len);

#endif
