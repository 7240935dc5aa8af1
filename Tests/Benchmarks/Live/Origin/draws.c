#include "draws.h"

#include <math.h>

// SplitMix64, as Sources/Random/SeededRandom.swift has it.
static uint64_t next(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    return z ^ (z >> 31);
}

// Evenly in 0 ..< 1, in steps of 2^-53.
static double unit(uint64_t *state) { return (double)(next(state) >> 11) * 0x1p-53; }

struct draw draw_item(uint64_t item, double latency, double jitter) {
    uint64_t state = item;
    double radius = sqrt(-2 * log(1 - unit(&state)));
    double angle = 2 * M_PI * unit(&state);
    double bytes = 50000 * exp(0.5 * radius * cos(angle));
    return (struct draw){fmin(fmax(bytes, 8000), 400000), latency * exp(jitter * radius * sin(angle))};
}
