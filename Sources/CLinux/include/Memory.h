#pragma once

/// Makes glibc return blocks of 4 MB and more to the system as soon as they are freed. By default glibc raises this limit to the largest
/// block ever freed, and then each thread that reads pictures holds such a block.
void ReturnLargeBlocks(void);

/// Returns free memory in the middle of the heap to the system. Takes some milliseconds, during which other threads wait for memory.
void ReturnFreedMemory(void);
