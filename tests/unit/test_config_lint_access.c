/* SPDX-License-Identifier: MIT */
/* test_config_lint_access.c - lint rules for access lists */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "findings.h"

static void M_13_W28_default_qos_that_no_list_permits(void **state)
{
	(void)state;
	expect_finding("user john {\n qlist = lo\n qdef = hi\n}\n", "W28", 3,
		       "no qlist allows hi for its jobs");
	expect_finding("user DEFAULT { qlist = lo }\nuser john { qdef = hi }\n", "W28", 2, "allows hi");
	expect_finding("user john { qlist = \"lo&\" qdef = hi }\ngroup staff { qlist = hi }\n", "W28", 1,
		       "allows hi");
	expect_finding("group staff { qlist = lo }\nuser john { qdef = hi }\n", "W28", 2, "allows hi");
	expect_no_finding("user john { qlist = lo qdef = hi } group staff { qlist = hi }\n");
	expect_no_finding("user john { qlist = {\"lo\", \"hi^\"} qdef = hi }\n");
	expect_no_finding("user john { qdef = hi }\n");
	expect_no_finding("system { qlist = hi qdef = hi } user john { qdef = none }\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(M_13_W28_default_qos_that_no_list_permits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
