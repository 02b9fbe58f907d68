/* SPDX-License-Identifier: MIT */
/*
 * sanitized.h - whether this program is built with AddressSanitizer
 *
 * AddressSanitizer uses much memory, and calls some functions of the C library before tests can replace them.
 */
#ifndef TESTS_SANITIZED_H
#define TESTS_SANITIZED_H

#ifdef __has_feature /* clang */
#if __has_feature(address_sanitizer)
#define HAS_ADDRESS_SANITIZER 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__ /* gcc */
#define HAS_ADDRESS_SANITIZER 1
#endif
#ifndef HAS_ADDRESS_SANITIZER
#define HAS_ADDRESS_SANITIZER 0
#endif

#endif
