/* Functions of libcrypto for kinds of keys that its tables do not name (libraries/openssl): nothing reaches them, but functions
   for other keys mention them, and the linker would keep all of Curve448 (25 KB). They fail, as they would for a bad key. */
int ossl_x448(void) { return 0; }
int ossl_x448_public_from_private(void) { return 0; }
int ossl_ed448_public_from_private(void) { return 0; }
int ossl_ed448_sign(void) { return 0; }
int ossl_ed448_verify(void) { return 0; }
