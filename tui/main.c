/* SPDX-License-Identifier: MIT */
/*
 * main.c - where does the program begin?
 */
#include <locale.h>

#include "line.h"

int main(int argc, char **argv)
{
	setlocale(LC_ALL, "");
	return line_run(argc, argv);
}
