// What happens when the kernel refuses memory: the process ends, with a sentence and an exit code.
#pragma once

// Sets the sentence, with its line feed, and the exit code of this program; the text is not copied.
void tu_when_out_of_memory(const void *sentence, int code);

// Keeps up to 32 MiB of what is freed for what is allocated next; only with the GNU C library.
// A program that tries one script after another allocates the same sizes again and again, and the kernel clears each
// page that it gives.
void tu_keep_freed_memory(void);
