#pragma once

/// Has blocks of 4 MB and more given back to the system as soon as they are free. By itself glibc raises that limit to the
/// largest block that was ever freed, and each thread that reads pictures then keeps one.
void ReturnLargeBlocks(void);

/// Gives what is free in the middle of the heap back to the system. Takes some milliseconds; others wait for memory meanwhile.
void ReturnFreedMemory(void);
