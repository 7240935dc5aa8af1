#include "CLinux.h"

#include <malloc.h>

void ReturnLargeBlocks(void) {
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
}

void ReturnFreedMemory(void) {
    malloc_trim(0);
}
