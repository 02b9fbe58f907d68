/* SPDX-License-Identifier: MIT */
/*
 * mail.c - mail to users
 */
#include "mail.h"

#include <stddef.h>
#include <string.h>

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
static const char signs[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
			    "@.+-=/%~!#$&'*?^{}";

static bool is_address(const char *text, size_t len)
{
	const char *at = memchr(text, '@', len);

	if (len == 0 || len > MAIL_ADDRESS_MAX || strchr(letters, text[0]) == NULL)
		return false;
	if (at != NULL &&
	    (at == text + len - 1 || memchr(at + 1, '@', len - (size_t)(at + 1 - text)) != NULL))
		return false;
	return strspn(text, signs) >= len;
}

bool mail_check_addresses(const char *list, struct err *err)
{
	size_t count = 0;

	for (const char *at = list;; at++) {
		size_t len = strcspn(at, ",");
		struct str shown = {0};

		if (++count > MAIL_ADDRESSES_MAX)
			return err_set(err, "mail goes to %d addresses at most", MAIL_ADDRESSES_MAX);
		if (!is_address(at, len)) {
			str_add_bytes(&shown, at, len < 60 ? len : 60);
			err_set(err,
				"\"%s\" is no address; it begins with a letter or a digit and has no blank",
				str_text(&shown));
			str_free(&shown);
			return false;
		}
		at += len;
		if (*at == '\0')
			return true;
	}
}

void mail_add_line(struct str *out, const char *text)
{
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		str_add_char(out, (char)(c < ' ' || c == 127 ? '?' : c));
	}
}

/* Of the signs that a head is made of: only those of ASCII can stand there as they are. */
static void add_head(struct str *out, const char *name, const char *value)
{
	str_addf(out, "%s: ", name);
	for (; *value != '\0'; value++) {
		unsigned char c = (unsigned char)*value;

		str_add_char(out, (char)(c < ' ' || c >= 127 ? '?' : c));
	}
	str_add_char(out, '\n');
}

void mail_write(const struct mail *mail, struct str *out)
{
	add_head(out, "From", mail->from);
	add_head(out, "To", mail->to);
	add_head(out, "Subject", mail->subject);
	add_head(out, "Auto-Submitted", "auto-generated");
	add_head(out, "MIME-Version", "1.0");
	add_head(out, "Content-Type", "text/plain; charset=utf-8");
	add_head(out, "Content-Transfer-Encoding", "8bit");
	str_addf(out, "\n%s", mail->text);
}
