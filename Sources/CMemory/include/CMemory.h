// What happens when the kernel refuses memory: the process ends, with a sentence and an exit code.
#pragma once

// Sets the sentence, with its line feed, and the exit code of this program; the text is not copied.
void tu_when_out_of_memory(const void *sentence, int code);
