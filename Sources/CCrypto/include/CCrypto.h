// The part of libcrypto that we need.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Writes the 32 bytes of the SHA-256 of `count` bytes.
void ccrypto_sha256(const uint8_t *bytes, size_t count, uint8_t *digest);
