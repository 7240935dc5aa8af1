// The part of libcrypto that this package uses.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Writes the SHA-256 of `count` bytes to `digest`, 32 bytes.
void ccrypto_sha256(const uint8_t *bytes, size_t count, uint8_t *digest);
