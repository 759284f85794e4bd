#pragma once
#include <divsufsort.h>
#include <divsufsort64.h>
