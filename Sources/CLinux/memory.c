#include "CLinux.h"

#include <malloc.h>

void ReturnLargeBlocks(void) {
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
}
