/// Names in the input that cannot be published, gathered so that one run names all of them.
struct NameFlaws {
  private var listed: [InputError] = []
  /// How many there are besides.
  private var more = 0

  /// Notes an error about a name; throws any other.
  mutating func note(_ error: PublisherError) throws(PublisherError) {
    guard case .input(let flaw) = error, flaw.isOfName else { throw error }
    // The entries of an archive come one by one, and a directory has many.
    if listed.contains(flaw) { return }
    if listed.count < PublisherLimits.listedNames { listed.append(flaw) } else { more += 1 }
  }

  /// Throws if there are any.
  func check() throws(PublisherError) {
    guard let first = listed.first else { return }
    throw .input(listed.count == 1 ? first : .severalNames(listed, more: more))
  }
}
