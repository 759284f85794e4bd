#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1  // as in CPlatform: the C library's types must look the same to all modules
#endif
#include <divsufsort.h>
#include <divsufsort64.h>
