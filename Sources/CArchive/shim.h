#pragma once
#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

// The kinds are macros with casts, which Swift does not import.
static inline int tu_archive_is_file(struct archive_entry *e) { return archive_entry_filetype(e) == AE_IFREG; }
static inline int tu_archive_is_directory(struct archive_entry *e) { return archive_entry_filetype(e) == AE_IFDIR; }
static inline void tu_archive_set_file(struct archive_entry *e) { archive_entry_set_filetype(e, AE_IFREG); }

// The mask is a macro. libarchive converts names to the character set of the thread's locale.
static inline locale_t tu_archive_locale(const char *name) { return newlocale(LC_CTYPE_MASK, name, (locale_t)0); }
