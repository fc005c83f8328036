/* SPDX-License-Identifier: MIT */
/*
 * AES-256-GCM and SHA-256 on blocks of 16 KiB, through mbedTLS, as our own uploads would use them.
 * `openssl speed -evp` does the same with another library: mbedTLS uses the AES and multiplication
 * instructions of x86 for GCM, one block at a time, and has no use for its SHA instructions.
 *
 * Each block is encrypted or hashed whole, with its tag or digest, which must be the first one's;
 * before, a known answer must come out.
 */
#include <errno.h>
#include <mbedtls/gcm.h>
#include <mbedtls/md.h>
#include <stdlib.h>
#include <string.h>

#include "bench/tests/cpu_kernel.h"

#define BLOCK_BYTES 16384u
#define IV_BYTES 12
#define TAG_BYTES 16
#define DIGEST_BYTES 32

static void fill(unsigned char *block)
{
	uint32_t x = 1;

	for (size_t i = 0; i < BLOCK_BYTES; i++) {
		x = x * 1664525 + 1013904223;
		block[i] = (unsigned char)(x >> 24);
	}
}

/* ---- AES-256-GCM ---- */

struct aes_state {
	mbedtls_gcm_context gcm;
	unsigned char in[BLOCK_BYTES], out[BLOCK_BYTES], back[BLOCK_BYTES];
	unsigned char tag[TAG_BYTES];
};

static const unsigned char zero[32];

/*
 * McGrew, Viega, "The Galois/Counter Mode of Operation", appendix B, test case 14; the key is 0.
 */
static bool knows_gcm(mbedtls_gcm_context *gcm)
{
	static const unsigned char want[32] = {
		0xce, 0xa7, 0x40, 0x3d, 0x4d, 0x60, 0x6b, 0x6e,
		0x07, 0x4e, 0xc5, 0xd3, 0xba, 0xf3, 0x9d, 0x18,
		0xd0, 0xd1, 0xc8, 0xa7, 0x99, 0x99, 0x6b, 0xf0,
		0x26, 0x5b, 0x98, 0xb5, 0xd4, 0x8a, 0xb9, 0x19,
	};
	unsigned char got[32];

	return !mbedtls_gcm_crypt_and_tag(gcm, MBEDTLS_GCM_ENCRYPT, 16, zero, IV_BYTES, NULL, 0,
					  zero, got, TAG_BYTES, got + 16) &&
	       !memcmp(got, want, sizeof(want));
}

static bool encrypt(struct aes_state *s, unsigned char *tag)
{
	static const unsigned char iv[IV_BYTES] = { 1 };

	return !mbedtls_gcm_crypt_and_tag(&s->gcm, MBEDTLS_GCM_ENCRYPT, BLOCK_BYTES, iv, IV_BYTES,
					  NULL, 0, s->in, s->out, TAG_BYTES, tag);
}

static int begin_aes(const struct cpu_input *in, unsigned members, void **state)
{
	struct aes_state *s = cpu_state_new(sizeof(*s));
	unsigned char key[32];

	(void)in;
	(void)members;
	if (!s)
		return -ENOMEM;
	*state = s;
	mbedtls_gcm_init(&s->gcm);
	fill(s->in);
	memcpy(key, s->in, sizeof(key));
	/* a key that cannot be set is short of memory: no result came out wrong */
	if (mbedtls_gcm_setkey(&s->gcm, MBEDTLS_CIPHER_ID_AES, zero, 256))
		return -ENOMEM;
	if (!knows_gcm(&s->gcm))
		return -EBADMSG;
	if (mbedtls_gcm_setkey(&s->gcm, MBEDTLS_CIPHER_ID_AES, key, 256))
		return -ENOMEM;
	return encrypt(s, s->tag) ? 0 : -EBADMSG;
}

static bool run_aes(void *state, uint64_t n)
{
	struct aes_state *s = state;
	unsigned char tag[TAG_BYTES];

	for (uint64_t i = 0; i < n; i++)
		if (!encrypt(s, tag) || memcmp(tag, s->tag, sizeof(tag)))
			return false;
	return true;
}

/* What was encrypted last is what it was before. */
static bool check_aes(void *state)
{
	static const unsigned char iv[IV_BYTES] = { 1 };
	struct aes_state *s = state;

	return !mbedtls_gcm_auth_decrypt(&s->gcm, BLOCK_BYTES, iv, IV_BYTES, NULL, 0, s->tag,
					 TAG_BYTES, s->out, s->back) &&
	       !memcmp(s->back, s->in, BLOCK_BYTES);
}

static void end_aes(void *state)
{
	struct aes_state *s = state;

	mbedtls_gcm_free(&s->gcm);
	free(s);
}

const struct cpu_kernel cpu_aes_kernel = {
	.unit = UNIT_BYTES_PER_S, .work = BLOCK_BYTES, .block_bytes = BLOCK_BYTES,
	.begin = begin_aes, .run = run_aes, .check = check_aes, .end = end_aes,
};

/* ---- SHA-256 ---- */

struct sha_state {
	mbedtls_md_context_t md;
	unsigned char in[BLOCK_BYTES];
	unsigned char digest[DIGEST_BYTES];
};

static bool hash(struct sha_state *s, const unsigned char *data, size_t bytes,
		 unsigned char *digest)
{
	return !mbedtls_md_starts(&s->md) && !mbedtls_md_update(&s->md, data, bytes) &&
	       !mbedtls_md_finish(&s->md, digest);
}

static int begin_sha(const struct cpu_input *in, unsigned members, void **state)
{
	/* FIPS 180-2, appendix B.1: "abc" */
	static const unsigned char want[DIGEST_BYTES] = {
		0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea,
		0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23,
		0xb0, 0x03, 0x61, 0xa3, 0x96, 0x17, 0x7a, 0x9c,
		0xb4, 0x10, 0xff, 0x61, 0xf2, 0x00, 0x15, 0xad,
	};
	struct sha_state *s = cpu_state_new(sizeof(*s));

	(void)in;
	(void)members;
	if (!s)
		return -ENOMEM;
	*state = s;
	mbedtls_md_init(&s->md);
	if (mbedtls_md_setup(&s->md, mbedtls_md_info_from_type(MBEDTLS_MD_SHA256), 0))
		return -ENOMEM;
	fill(s->in);
	if (!hash(s, (const unsigned char *)"abc", 3, s->digest) ||
	    memcmp(s->digest, want, sizeof(want)) || !hash(s, s->in, BLOCK_BYTES, s->digest))
		return -EBADMSG;
	return 0;
}

static bool run_sha(void *state, uint64_t n)
{
	struct sha_state *s = state;
	unsigned char digest[DIGEST_BYTES];

	for (uint64_t i = 0; i < n; i++)
		if (!hash(s, s->in, BLOCK_BYTES, digest) ||
		    memcmp(digest, s->digest, sizeof(digest)))
			return false;
	return true;
}

static void end_sha(void *state)
{
	struct sha_state *s = state;

	mbedtls_md_free(&s->md);
	free(s);
}

const struct cpu_kernel cpu_sha_kernel = {
	.unit = UNIT_BYTES_PER_S, .work = BLOCK_BYTES, .block_bytes = BLOCK_BYTES,
	.begin = begin_sha, .run = run_sha, .end = end_sha,
};
