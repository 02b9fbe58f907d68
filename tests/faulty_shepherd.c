/* SPDX-License-Identifier: MIT */
/*
 * faulty_shepherd.c - what makes kahu-shepherd one whose calls of the system fail (test_shepherd_faults.c)
 */
#include "tests/faulty.h"
