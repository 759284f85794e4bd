/// Reads the text of a polygon, `latitude,longitude` pairs between white space, one byte at a time.
///
/// Nothing of the text is kept; its corners go to a measure, or are kept.
struct PolygonScanner {
  private(set) var measure: PolygonMeasure?
  private(set) var corners: PolygonCorners?
  /// The text is not such pairs.
  private(set) var isMalformed = false
  private var number = Number()
  private var latitude: Int64?

  /// - Parameter measure: of the rings before.
  init(_ measure: PolygonMeasure) { self.measure = measure }

  /// - Parameter corners: of the rings before.
  init(_ corners: PolygonCorners) { self.corners = corners }

  mutating func take(_ byte: UInt8) {
    switch byte {
    case 0...UInt8(ascii: " "): endPair()
    case UInt8(ascii: ","):
      guard latitude == nil, let value = number.value, abs(value) <= Degrees.quarter else { return refuse() }
      latitude = value
      number = Number()
    default: if !number.take(byte) { refuse() }
    }
  }

  /// Ends a ring.
  mutating func finish() {
    endPair()
    measure?.closeRing()
    corners?.closeRing()
  }

  private mutating func endPair() {
    if latitude == nil && number.isEmpty { return }
    guard let latitude, let longitude = number.value else { return refuse() }
    measure?.add(latitude: latitude, longitude: longitude)
    if corners?.add(latitude: latitude, longitude: longitude) == false { return refuse() }
    self.latitude = nil
    number = Number()
  }

  private mutating func refuse() {
    isMalformed = true
    latitude = nil
    number = Number()
  }

  /// A decimal number in the making, by the rules of `Degrees`.
  private struct Number {
    private var magnitude: Int64 = 0
    private var isNegative = false
    private var digits = 0
    /// Nil before the point.
    private var decimals: Int?
    private(set) var isEmpty = true

    /// In ten-millionths; nil if it is not a number from -180 to 180.
    var value: Int64? {
      guard digits > 0 else { return nil }
      var scaled = magnitude
      for _ in min(decimals ?? 0, 7)..<7 {
        scaled *= 10
        guard scaled <= Degrees.circle / 2 else { return nil }
      }
      return isNegative ? -scaled : scaled
    }

    /// False if the byte cannot come next in a number.
    mutating func take(_ byte: UInt8) -> Bool {
      defer { isEmpty = false }
      switch byte {
      case UInt8(ascii: "-") where isEmpty: isNegative = true
      case UInt8(ascii: ".") where decimals == nil && digits > 0: decimals = 0
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        digits = 1
        if let count = decimals {
          if count >= 7 { return true }  // below a centimetre
          decimals = count + 1
        }
        magnitude = magnitude * 10 + Int64(byte - UInt8(ascii: "0"))
        return magnitude <= Degrees.circle / 2
      default: return false
      }
      return true
    }
  }
}
