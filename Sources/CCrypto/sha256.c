#include "CCrypto.h"

#include <openssl/sha.h>

void ccrypto_sha256(const uint8_t *bytes, size_t count, uint8_t *digest) { SHA256(bytes, count, digest); }
