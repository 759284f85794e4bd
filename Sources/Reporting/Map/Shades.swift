/// Which of seven shades stands for a number: the first for nothing, the others for more and more.
struct Shades: Equatable {
  /// The largest number of each shade but the first and the last; five or fewer.
  let limits: [UInt64]

  static let count = 7

  /// For sizes in bytes, in steps of about three or of ten, so that the largest of them has the last shade.
  init(sizes: [UInt64]) {
    let largest = sizes.max() ?? 0
    let smallest = sizes.filter { $0 > 0 }.min() ?? 0
    let steps = Shades.steps
    let top = steps.lastIndex { $0 < largest } ?? 0
    let stride = smallest < steps[top] / 100 ? 2 : 1
    let limits =
      stride == 2 ? Swift.stride(from: top, through: 0, by: -2).map { steps[$0] } : steps[...top].reversed()
    // Shades that nothing has are left out.
    let used = limits.prefix(Shades.count - 2).filter { $0 >= smallest }
    self.limits = used.isEmpty ? [steps[top]] : used.reversed()
  }

  /// For shares, in thousandths.
  static let shares = Shades(limits: [10, 50, 100, 250, 500])

  private init(limits: [UInt64]) { self.limits = limits }

  /// From 0 to 6.
  func index(of number: UInt64) -> Int {
    guard number > 0 else { return 0 }
    return Shades.count - 1 - limits.count + (limits.firstIndex { number <= $0 } ?? limits.count)
  }

  /// 1, 3, 10, 30 and so on.
  private static let steps: [UInt64] = (0..<15).flatMap { (exponent: Int) -> [UInt64] in
    let power = (0..<exponent).reduce(1 as UInt64) { power, _ in power * 10 }
    return [power, 3 * power]
  }
}
