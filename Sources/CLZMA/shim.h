#pragma once
#include <lzma.h>

// LZMA_STREAM_INIT is a brace macro; Swift cannot import it.
static inline lzma_stream tu_lzma_stream_init(void) {
  lzma_stream stream = LZMA_STREAM_INIT;
  return stream;
}

// Constants that are macros over casts.
static inline uint32_t tu_lzma_extreme(uint32_t preset) { return preset | LZMA_PRESET_EXTREME; }
static inline lzma_vli tu_lzma_filter_lzma2(void) { return LZMA_FILTER_LZMA2; }
static inline lzma_vli tu_lzma_filter_end(void) { return LZMA_VLI_UNKNOWN; }
