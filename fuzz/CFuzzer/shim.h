// The entry of libFuzzer for programs that bring a `main` of their own.
#pragma once
#include <stddef.h>
#include <stdint.h>
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one)(const uint8_t *data, size_t size));
