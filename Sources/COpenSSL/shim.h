#pragma once
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// EVP_RSA_gen is a macro over a variadic function.
static inline EVP_PKEY *_Nullable postern_rsa_generate(unsigned int bits) {
    return EVP_RSA_gen(bits);
}

// EVP_EC_gen is a macro over a variadic function.
static inline EVP_PKEY *_Nullable postern_ec_generate(const char *_Nonnull curve) {
    return EVP_EC_gen(curve);
}

// EVP_PKEY_Q_keygen is variadic.
static inline EVP_PKEY *_Nullable postern_ed25519_generate(void) {
    return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
}
