#pragma once
#include <lzma.h>

// LZMA_STREAM_INIT is a brace macro; Swift cannot import it.
static inline lzma_stream tu_lzma_stream_init(void) {
  lzma_stream stream = LZMA_STREAM_INIT;
  return stream;
}
