/// The version of the product, as `--version` prints it.
package var productVersion: String { "0.1.0" }
