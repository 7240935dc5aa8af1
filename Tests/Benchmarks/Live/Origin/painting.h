#pragma once

#include <stddef.h>

// A JPEG of 600 x 400 pixels that weighs exactly `bytes` (at least 8,000), to be freed by the caller. Twenty-four blocks of
// light and dark carry the item's number, so that a screenshot tells which picture it shows.
unsigned char *paint(unsigned item, size_t bytes);
