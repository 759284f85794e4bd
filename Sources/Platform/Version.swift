/// The version of the product, as `--version` prints it.
package var productVersion: String { "0.1.0" }

/// 2026-11-21, the day of this version in seconds since 1970: it cannot be earlier on a device that runs it.
///
/// Raised with the version, and a constant, so that equal sources make equal programs.
package var productTime: Int64 { 1_795_219_200 }
