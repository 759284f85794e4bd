// swift-tools-version: 6.2
import PackageDescription

/// Set by `cross/build`: the device modules as one static library of Embedded Swift.
let isEmbedded = Context.environment["TINYUPDATER_EMBEDDED"] == "1"

/// Set by `cross/static-publisher`: every library comes from a directory that it names.
let isStatic = Context.environment["TINYUPDATER_STATIC"] == "1"

/// Set by `scripts/fuzz`: one more program, with the parsers as libFuzzer's targets.
let isFuzzed = Context.environment["TINYUPDATER_FUZZ"] == "1"

/// What every module is compiled with, so that all of them read alike.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("ExistentialAny"),
  .enableExperimentalFeature("Lifetimes"),
]

/// Device modules are the common subset: a regular build refuses what Embedded Swift would refuse.
let device: [SwiftSetting] =
  strict
  + (isEmbedded
    ? [.enableExperimentalFeature("Embedded"), .unsafeFlags(["-wmo"])]
    : [.treatWarning("EmbeddedRestrictions", as: .error)])

/// The device program is optimized for size, and instructions that are the same in many places become functions: here those
/// of the library, while the linker does it for the program (`cross/build`).
let small: [SwiftSetting] =
  isEmbedded ? [.unsafeFlags(["-Osize", "-Xllvm", "-enable-machine-outliner=always"])] : []

/// For device modules with loops over each byte of a map.
let fast: [SwiftSetting] = isEmbedded ? [.unsafeFlags(["-O"])] : []

/// What tests spend their time in is optimized in the debug build too, unless TINYUPDATER_DEBUG=1 asks for a debugger.
///
/// Match search, hashing and decoding take many times as long without the optimizer. It sees each module as a whole, as
/// in a release, which takes less time than one file after the other: 231 s in the place of 280 for both programs.
let optimized: [SwiftSetting] =
  Context.environment["TINYUPDATER_DEBUG"] == "1"
  ? [] : [.unsafeFlags(["-O", "-wmo", "-num-threads", "2"], .when(configuration: .debug))]

func deviceTarget(
  _ name: String, _ dependencies: [Target.Dependency], links: [String] = [], settings: [LinkerSetting] = [],
  swift: [SwiftSetting] = [], optimizing: [SwiftSetting] = small
) -> Target {
  .target(
    name: name, dependencies: dependencies, swiftSettings: device + swift + optimizing,
    linkerSettings: links.map { .linkedLibrary($0) } + settings)
}

/// Every program brings its zlib along.
///
/// What a patch encodes of a deflate stream is right with one version of it alone, so none takes that of the
/// distribution: `cross/host-zlib`, which `scripts/setup` runs, makes it from the pinned sources.
let zlib: LinkerSetting =
  isEmbedded || isStatic
  ? .linkedLibrary(":libz.a") : .unsafeFlags(["\(Context.packageDirectory)/build/zlib/libz.a"])

let deviceTargets: [Target] = [
  .target(name: "CMemory"),
  .systemLibrary(name: "CPlatform"),
  .systemLibrary(name: "CCrypto"),
  .systemLibrary(name: "CLZMA"),
  .systemLibrary(name: "CZlib"),
  .systemLibrary(name: "CExpat"),
  .systemLibrary(name: "CCurl"),
  .systemLibrary(name: "CArchive"),

  // Ground
  deviceTarget("Platform", ["CPlatform"], links: ["m"], swift: optimized),
  deviceTarget("Crypto", ["CCrypto", "Platform"], links: ["crypto"], swift: optimized),
  deviceTarget(
    "Codec", ["CLZMA", "CZlib"], links: ["lzma"], settings: [zlib], swift: optimized, optimizing: fast),
  deviceTarget("MapModel", ["Platform", "Crypto"], swift: optimized),
  deviceTarget("JSONReading", ["Platform"]),

  // Subjects
  deviceTarget(
    "Catalog", ["Platform", "Crypto", "Codec", "MapModel", "CExpat"], links: ["expat"], swift: optimized),
  deviceTarget("Trust", ["Platform", "Crypto", "JSONReading"]),
  deviceTarget("Transport", ["Platform", "CCurl"], links: ["curl"]),
  deviceTarget("Archive", ["Platform", "Crypto", "CArchive"], links: ["archive"]),
  deviceTarget("PatchFormat", ["Crypto", "Codec"], swift: optimized, optimizing: fast),
  deviceTarget(
    "DeltaApply", ["Platform", "Crypto", "Codec", "PatchFormat"], swift: optimized),
  deviceTarget("Varlink", ["Platform", "JSONReading"]),
  deviceTarget("MapReading", ["Platform"]),
  deviceTarget("MapService", ["Platform", "JSONReading", "Varlink", "MapReading"]),
  deviceTarget("Store", ["Platform", "Crypto", "MapModel", "MapReading"]),
  deviceTarget("Releases", ["Platform", "Crypto", "MapModel", "JSONReading", "Trust"]),
  deviceTarget("MapTree", ["Platform", "Crypto", "Codec", "MapModel", "Catalog", "Store"]),
  deviceTarget(
    "InPlace", ["Platform", "Crypto", "Codec", "MapModel", "Catalog", "PatchFormat", "DeltaApply", "Store"]),

  // What other programs link
  .systemLibrary(name: "CTinyUpdater"),
  deviceTarget(
    "TinyUpdaterLibrary", ["CTinyUpdater", "Platform", "JSONReading", "MapReading", "MapService"]),

  // Composer
  deviceTarget(
    "Updater",
    [
      "Platform", "Crypto", "Codec", "MapModel", "Catalog", "JSONReading", "Trust", "Releases", "Transport",
      "Archive",
      "PatchFormat", "DeltaApply", "Store", "InPlace", "MapTree",
    ]),
]

let deviceProgram: [Target.Dependency] = [
  "CMemory",
  "Platform", "Crypto", "MapModel", "Catalog", "JSONReading", "Trust", "Transport", "Archive", "PatchFormat",
  "DeltaApply",
  "Store", "InPlace", "MapTree", "Varlink", "MapService", "Updater",
]

let publisherTargets: [Target] = [
  // The publisher's halves of device modules: what a device only reads or verifies is written and signed here.
  .target(
    name: "CodecEncoding", dependencies: ["CLZMA", "CZlib", "Codec"], swiftSettings: strict + optimized),
  .target(name: "CryptoSigning", dependencies: ["CCrypto", "Crypto"], swiftSettings: strict),
  .target(
    name: "CatalogWriting", dependencies: ["Platform", "Crypto", "MapModel", "Catalog"], swiftSettings: strict
  ),
  .target(
    name: "TransportProbing", dependencies: ["CCurl", "Platform", "Transport"], swiftSettings: strict),
  .target(
    name: "ArchiveWriting", dependencies: ["CArchive", "Platform", "Archive"], swiftSettings: strict),
  .target(
    name: "ArchiveUnpacking", dependencies: ["CPlatform", "CArchive", "Platform", "Codec"],
    swiftSettings: strict, linkerSettings: [.linkedLibrary("archive")]),

  .target(name: "JSONCoding", dependencies: ["Platform", "JSONReading"], swiftSettings: strict),

  .target(
    name: "Reporting", dependencies: ["Platform", "Crypto", "Catalog", "JSONCoding"],
    // As arrays of bytes in the program: it needs no files beside it, and no Foundation to find them.
    resources: ["page.html", "report.css", "report.js"].map { .embedInCode("Page/\($0)") },
    swiftSettings: strict),

  .target(
    name: "DeltaCreate", dependencies: ["Platform", "Crypto", "Codec", "CodecEncoding", "PatchFormat"],
    swiftSettings: strict + optimized),
  .target(
    name: "Publisher",
    dependencies: [
      "CPlatform", "Platform", "Crypto", "CryptoSigning", "Codec", "CodecEncoding", "MapModel", "Catalog",
      "CatalogWriting",
      "JSONReading", "Trust", "Releases", "PatchFormat", "DeltaApply", "DeltaCreate", "Store", "MapTree",
      "Archive",
      "ArchiveWriting", "ArchiveUnpacking", "Transport", "TransportProbing", "JSONCoding", "Reporting",
    ], swiftSettings: strict),
  .executableTarget(
    name: "TinyPublish",
    dependencies: [
      "CMemory", "Platform", "Crypto", "MapModel", "Catalog", "CatalogWriting", "JSONReading", "Trust",
      "Releases",
      "PatchFormat", "DeltaApply", "DeltaCreate", "JSONCoding", "Reporting", "Publisher",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    swiftSettings: strict),
  .executableTarget(
    name: "TinyUpdater", dependencies: deviceProgram, swiftSettings: device),
]

/// What Swift programs link.
let libraryTargets: [Target] = [
  .target(
    name: "MapLoader", dependencies: ["Platform", "JSONReading", "MapReading", "MapService"],
    swiftSettings: strict),
  .executableTarget(
    name: "MapManager", dependencies: ["MapLoader"], path: "config/examples/map-manager",
    exclude: ["README.md"], swiftSettings: strict),
  .executableTarget(
    name: "ReaderExample", dependencies: ["MapLoader"], path: "config/examples/reader-swift",
    swiftSettings: strict),
]

/// A program for suites that test clients of The Update Framework: the device's modules, and what it has no use for.
let suiteTargets: [Target] = [
  .target(
    name: "TrustDelegation", dependencies: ["Crypto", "JSONReading", "Trust"], path: "Tests/TrustDelegation",
    swiftSettings: strict),
  .executableTarget(
    name: "TUFClient",
    dependencies: [
      "CPlatform", "Platform", "Crypto", "Store", "Transport", "JSONReading", "Trust", "TrustDelegation",
      "Updater",
      .product(name: "ArgumentParser", package: "swift-argument-parser"),
    ],
    path: "Tests/TUFClient", swiftSettings: strict),
]

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name + "Tests", dependencies: dependencies, exclude: exclude, swiftSettings: strict)
}

let testTargets: [Target] = [
  .target(
    name: "DeltaTestSupport",
    dependencies: [
      "Crypto", "Codec", "CodecEncoding", "PatchFormat", "DeltaApply", "DeltaCreate", "TestSupport",
    ],
    path: "Tests/DeltaTestSupport", swiftSettings: strict),
  tests("Platform", ["CPlatform", "Platform", "TestSupport"]),
  tests("Codec", ["CLZMA", "CZlib", "Codec", "CodecEncoding", "DeltaTestSupport", "TestSupport"]),
  tests("PatchFormat", ["Crypto", "Codec", "PatchFormat", "TestSupport"]),
  tests("MapModel", ["MapModel", "TestSupport"]),
  tests(
    "Catalog",
    [
      "Platform", "Crypto", "Codec", "CodecEncoding", "MapModel", "Catalog", "CatalogWriting", "TestSupport",
    ]),
  tests(
    "DeltaApply",
    [
      "Platform", "Crypto", "Codec", "PatchFormat", "DeltaApply", "DeltaCreate", "DeltaTestSupport",
      "TestSupport",
    ]),
  tests(
    "DeltaCreate",
    ["Platform", "Codec", "PatchFormat", "DeltaApply", "DeltaCreate", "DeltaTestSupport", "TestSupport"]),
  tests(
    "Publisher",
    [
      "CPlatform", "Platform", "Crypto", "MapModel", "Catalog", "CatalogWriting", "JSONReading", "Trust",
      "Releases",
      "PatchFormat",
      "Codec", "DeltaApply", "DeltaCreate", "DeltaTestSupport", "JSONCoding", "Reporting", "Publisher",
      "TinyPublish",
      "TestSupport",
    ]),
  tests("Reporting", ["Catalog", "JSONCoding", "Reporting", "TestSupport"]),
  .target(
    name: "TestSupport", dependencies: ["Platform", "Crypto", "MapModel"], path: "Tests/TestSupport",
    swiftSettings: strict),
  tests("Crypto", ["Platform", "Crypto", "CryptoSigning", "TestSupport"]),
  .target(
    name: "TrustTestSupport",
    dependencies: [
      "Platform", "Crypto", "CryptoSigning", "JSONReading", "Trust", "TrustDelegation", "TestSupport",
    ],
    path: "Tests/TrustTestSupport", swiftSettings: strict),
  tests(
    "Trust",
    ["Platform", "Crypto", "JSONReading", "Trust", "TrustDelegation", "TestSupport", "TrustTestSupport"]),
  tests(
    "InPlace",
    [
      "Platform", "Crypto", "Codec", "MapModel", "Catalog", "PatchFormat", "DeltaApply", "DeltaCreate",
      "Store", "InPlace", "MapTestSupport", "TestSupport",
    ]),
  tests("Store", ["Platform", "Crypto", "MapModel", "Store", "TestSupport"]),
  tests("MapManager", ["MapManager"]),
  tests("MapReading", ["Platform", "MapReading", "TestSupport"]),
  tests("MapService", ["Platform", "JSONReading", "MapService", "TestSupport"]),
  tests("JSONReading", ["JSONReading", "TestSupport", "TrustTestSupport"]),
  tests("JSONCoding", ["JSONReading", "JSONCoding"]),
  tests("Releases", ["Crypto", "MapModel", "JSONReading", "Trust", "Releases", "TrustTestSupport"]),
  tests("Varlink", ["JSONReading", "Varlink", "TestSupport"]),
  tests("Transport", ["CCurl", "Platform", "Transport", "TestSupport"]),
  tests("Archive", ["Platform", "Archive", "ArchiveWriting", "TestSupport"]),
  .target(
    name: "MapTestSupport",
    dependencies: [
      "Platform", "Crypto", "Codec", "CodecEncoding", "MapModel", "Catalog", "CatalogWriting", "Store",
      "TestSupport",
    ],
    path: "Tests/MapTestSupport", swiftSettings: strict),
  tests("MapTree", ["Platform", "MapModel", "Catalog", "Store", "MapTree", "MapTestSupport", "TestSupport"]),
  tests(
    "Updater",
    [
      "Platform", "Crypto", "Codec", "CodecEncoding", "MapModel", "Catalog", "CatalogWriting", "JSONReading",
      "Trust",
      "Transport", "PatchFormat", "DeltaApply", "DeltaCreate", "DeltaTestSupport", "Store", "InPlace",
      "MapTree",
      "Updater",
      "MapTestSupport",
      "TestSupport", "TrustTestSupport",
    ]),
  tests(
    "TinyUpdater",
    [
      "Platform", "Crypto", "MapModel", "Store", "Transport", "JSONReading", "Trust", "Updater",
      "TinyUpdater",
      "TestSupport",
    ], exclude: ["contract.txt"]),
  tests(
    "TUFClient",
    [
      "Platform", "Crypto", "Store", "Transport", "JSONReading", "Trust", "Updater", "TUFClient",
      "TestSupport",
      "TrustTestSupport",
    ]),
  tests(
    "EndToEnd",
    [
      "Platform", "Crypto", "CryptoSigning", "JSONReading", "MapLoader", "Trust", "TestSupport",
      "TrustTestSupport",
    ],
    exclude: [
      "confinement", "names", "navigation", "power-cuts", "proxy", "python-tuf", "reference-applier",
      "reports", "soak", "tracer",
    ]),
]

let fuzzTargets: [Target] = [
  .systemLibrary(name: "CFuzzer", path: "fuzz/CFuzzer"),
  .executableTarget(
    name: "Fuzz",
    dependencies: [
      "CFuzzer", "Archive", "ArchiveUnpacking", "Platform", "Crypto", "Codec", "MapModel", "Catalog",
      "CatalogWriting", "JSONReading", "Trust",
      "Releases",
      "Transport", "PatchFormat", "DeltaApply", "DeltaCreate", "Store", "MapTree", "Updater", "Varlink",
    ],
    path: "fuzz/Fuzz", swiftSettings: strict, linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]),
]

let package = Package(
  name: "TinyUpdater",
  products: isEmbedded
    ? [
      .library(name: "tinyupdater-device", type: .static, targets: ["TinyUpdater"]),
      .library(name: "tinyupdater-library", type: .static, targets: ["TinyUpdaterLibrary"]),
    ]
    : [
      .executable(name: "tinyupdater", targets: ["TinyUpdater"]),
      .executable(name: "tinypublish", targets: ["TinyPublish"]),
      .library(name: "MapLoader", targets: ["MapLoader"]),
      .executable(name: "tuf-client", targets: ["TUFClient"]),
    ],
  dependencies: isEmbedded
    ? [] : [.package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")],
  targets: deviceTargets
    + (isEmbedded
      ? [deviceTarget("TinyUpdater", deviceProgram)]
      : libraryTargets + publisherTargets + suiteTargets + testTargets + (isFuzzed ? fuzzTargets : [])),
  swiftLanguageModes: [.v6]
)
