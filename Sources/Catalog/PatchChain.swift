package import Crypto
internal import Platform

/// Chains of patches from an older component to an entry's own file.
extension CatalogEntry {
  /// The chains from `base` with the fewest bytes on the wire, at most one of each length from two on, the cheapest
  /// first.
  ///
  /// Patches that `isAdmitted` refuses are not part of any. It takes as many steps as `CatalogLimits.chain` times
  /// hops times patches, whatever the catalog says.
  package func chains(from base: Digest, where isAdmitted: (Patch) -> Bool = { _ in true }) -> [[Patch]] {
    guard patches.contains(where: { $0.to != nil && $0.from == base }) else { return [] }
    let admitted = patches.filter(isAdmitted)
    // What each patch begins costs, and which patch comes next, for chains of one patch, of two, …
    var begun = [admitted.map { $0.to == nil ? Rest(cost: $0.container.size, next: 0) : nil }]
    for _ in 1..<CatalogLimits.chain {
      let shorter = begun[begun.count - 1]
      begun.append(admitted.map { CatalogEntry.extend(shorter, by: $0, in: admitted) })
    }
    var found: [(cost: UInt64, patches: [Patch])] = []
    for length in 2...CatalogLimits.chain {
      guard let (first, cost) = CatalogEntry.cheapest(begun[length - 1], in: admitted, from: base) else {
        continue
      }
      var chain: [Patch] = []
      var index = first
      for left in (0..<length).reversed() {
        chain.append(admitted[index])
        index = begun[left][index]?.next ?? 0
      }
      found.append((cost, chain))
    }
    found.sort { $0.cost < $1.cost }
    return found.map { $0.patches }
  }

  /// The rest of a chain, from one patch on: its bytes on the wire, and the index of the patch after the first.
  private struct Rest {
    let cost: UInt64
    let next: Int
  }

  private static func extend(_ shorter: [Rest?], by hop: Patch, in admitted: [Patch]) -> Rest? {
    guard let to = hop.to, let (next, cost) = cheapest(shorter, in: admitted, from: to.digest) else {
      return nil
    }
    let (sum, overflow) = cost.addingReportingOverflow(hop.container.size)
    return overflow ? nil : Rest(cost: sum, next: next)
  }

  private static func cheapest(
    _ rests: [Rest?], in admitted: [Patch], from base: Digest
  ) -> (index: Int, cost: UInt64)? {
    var best: (index: Int, cost: UInt64)?
    for (index, rest) in rests.enumerated() {
      guard let rest, best.map({ rest.cost < $0.cost }) ?? true, admitted[index].from == base else {
        continue
      }
      best = (index, rest.cost)
    }
    return best
  }
}

extension [Patch] {
  /// Bytes on the wire.
  package var download: UInt64 { reduce(0) { $0.saturatingSum($1.container.size) } }

  /// Bytes of the older files that are made on the way.
  package var intermediates: UInt64 { reduce(0) { $0.saturatingSum($1.to?.size ?? 0) } }
}
