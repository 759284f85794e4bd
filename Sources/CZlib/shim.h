#pragma once

// The devices' zlib: of a sysroot, or as cross/host-zlib makes it for this machine; never that of the distribution.
#if defined TU_SYSROOT
#include <zlib.h>
#elif __has_include("../../build/zlib/zlib.h")
#include "../../build/zlib/zlib.h"
#else
#error "zlib is not built yet: run scripts/setup, which does that in some seconds, and build again"
#endif

#ifdef ZLIB_VERSION
// Both are macros over a function that takes the version and the size of z_stream.
static inline int tu_zlib_inflate_init(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}
static inline int tu_zlib_deflate_init(z_stream *stream, int level, int window_bits, int memory_level, int strategy) {
  return deflateInit2(stream, level, Z_DEFLATED, window_bits, memory_level, strategy);
}
#endif
