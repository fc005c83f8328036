# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# libcurl: HTTP and HTTPS with proxies, and nothing else. It has no default trust store: whose
# certificates count is always said at run time.

./configure --host="$ARCH-linux-musl" --prefix="$SYSROOT" CC="$CC" CFLAGS="$CFLAGS" \
	CPPFLAGS="-I$SYSROOT/include" LDFLAGS="-L$SYSROOT/lib" \
	--disable-shared --enable-static --without-pic --disable-debug --enable-optimize \
	--disable-curldebug \
	--with-mbedtls="$SYSROOT" --without-ca-bundle --without-ca-path --without-ca-fallback \
	--enable-ipv6 --enable-http --enable-proxy --enable-threaded-resolver \
	--disable-ftp --disable-file --disable-ldap --disable-ldaps --disable-rtsp --disable-dict \
	--disable-telnet --disable-tftp --disable-pop3 --disable-imap --disable-smb --disable-smtp \
	--disable-gopher --disable-mqtt --disable-ipfs --disable-websockets --disable-doh \
	--disable-manual --disable-docs --disable-libcurl-option --disable-verbose --disable-ntlm \
	--disable-tls-srp --disable-unix-sockets --disable-cookies --disable-socketpair \
	--disable-alt-svc --disable-hsts --disable-netrc --disable-aws --disable-kerberos-auth \
	--disable-negotiate-auth --disable-digest-auth --disable-form-api --disable-mime \
	--disable-bindlocal --disable-progress-meter --disable-get-easy-options \
	--disable-sha512-256 \
	--without-zlib --without-brotli --without-zstd --without-nghttp2 --without-ngtcp2 \
	--without-libpsl --without-libidn2 --without-libssh2 --without-librtmp --without-libgsasl
# Only the library itself: `make` alone also compiles it a second time for its own unit tests.
make -j "$JOBS" -C lib libcurl.la
install -D -m 644 lib/.libs/libcurl.a "$SYSROOT/lib/libcurl.a"
make -C include install
