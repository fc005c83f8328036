# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# mbedTLS: TLS 1.2 and 1.3 for uploads. A client only: what a server, a datagram or a key store
# needs and what no HTTPS server of today speaks is left out. AES-NI stays: the default for x86.

config() {
	python3 -B scripts/config.py "$@"
}

for symbol in \
	SELF_TEST VERSION_FEATURES DEBUG_C \
	SSL_SRV_C SSL_COOKIE_C SSL_CACHE_C SSL_TICKET_C SSL_EARLY_DATA \
	SSL_PROTO_DTLS SSL_DTLS_ANTI_REPLAY SSL_DTLS_HELLO_VERIFY SSL_DTLS_CLIENT_PORT_REUSE \
	SSL_DTLS_CONNECTION_ID SSL_DTLS_CONNECTION_ID_COMPAT SSL_DTLS_SRTP SSL_RENEGOTIATION \
	SSL_CONTEXT_SERIALIZATION \
	KEY_EXCHANGE_PSK_ENABLED KEY_EXCHANGE_DHE_PSK_ENABLED KEY_EXCHANGE_ECDHE_PSK_ENABLED \
	KEY_EXCHANGE_RSA_PSK_ENABLED KEY_EXCHANGE_ECJPAKE_ENABLED \
	KEY_EXCHANGE_ECDH_ECDSA_ENABLED KEY_EXCHANGE_ECDH_RSA_ENABLED \
	SSL_TLS1_3_KEY_EXCHANGE_MODE_PSK_ENABLED \
	SSL_TLS1_3_KEY_EXCHANGE_MODE_PSK_EPHEMERAL_ENABLED \
	CAMELLIA_C ARIA_C DES_C CCM_C NIST_KW_C ECJPAKE_C LMS_C RIPEMD160_C \
	ECP_DP_SECP192R1_ENABLED ECP_DP_SECP224R1_ENABLED ECP_DP_SECP192K1_ENABLED \
	ECP_DP_SECP224K1_ENABLED ECP_DP_SECP256K1_ENABLED ECP_DP_BP256R1_ENABLED \
	ECP_DP_BP384R1_ENABLED ECP_DP_BP512R1_ENABLED ECP_DP_CURVE448_ENABLED \
	PKCS12_C PKCS5_C PKCS7_C X509_CREATE_C X509_CSR_PARSE_C X509_CSR_WRITE_C X509_CRT_WRITE_C \
	PSA_CRYPTO_STORAGE_C PSA_ITS_FILE_C TIMING_C GENPRIME; do
	config unset "MBEDTLS_$symbol"
done
# 3.6.6 offers RSA-PSS signatures but takes them for unknown once a server has chosen TLS 1.2: no
# HTTPS with a server that speaks TLS 1.2 only and has an RSA key (Mbed-TLS/mbedtls#10668, corrected
# later). That it was offered is checked right after. Where the line is gone, nothing is done.
known='mbedtls_ssl_sig_alg_is_supported(ssl, sig_alg)'
sed -i "s/if (!$known)/if (*pk_alg != MBEDTLS_PK_RSASSA_PSS \&\& !$known)/" \
	library/ssl_tls12_client.c
# The resolver runs in a thread of its own, beside the transfer.
config set MBEDTLS_THREADING_C
config set MBEDTLS_THREADING_PTHREAD

make -j "$JOBS" -C library CC="$CC" CFLAGS="$CFLAGS" static
install -d "$SYSROOT/lib" "$SYSROOT/include"
install -m 644 library/libmbedtls.a library/libmbedx509.a library/libmbedcrypto.a "$SYSROOT/lib/"
cp -r include/mbedtls include/psa "$SYSROOT/include/"
