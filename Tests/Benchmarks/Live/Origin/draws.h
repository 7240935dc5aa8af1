#pragma once

#include <stdint.h>

// Weight of an item in bytes, and milliseconds before its first byte.
struct draw {
    double bytes;
    double delay;
};

// The draws of `Origin.picture` in Sources/Replay/Simulation/Origin.swift: the same numbers for the same item.
struct draw draw_item(uint64_t item, double latency, double jitter);
