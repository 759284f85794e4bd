package import Platform

/// Makes private keys of tests quick to decrypt: a program that signs decrypts them in each of its runs.
package enum QuickKeys {
  /// Encrypts all keys in a directory again, with a cost of scrypt that stops nobody from guessing; returns whether `openssl`
  /// did.
  package static func encrypt(in directory: String, passphrase: String) throws(Failure) -> Bool {
    let command = """
      for key in "$0"/*.pem; do
        openssl pkcs8 -in "$key" -passin "pass:$1" -topk8 -scrypt -scrypt_N 16 -passout "pass:$1" -out "$key.quick" &&
        chmod 600 "$key.quick" && mv "$key.quick" "$key" || exit 1
      done
      """
    return try ChildProcess.run("sh", ["-c", command, directory, passphrase]).status == 0
  }
}
