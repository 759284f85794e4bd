/// What happened, without what to do about it.
extension Failure {
  /// Where more is said after it; of failures whose advice is a part of the sentence, all of it.
  package var cause: String {
    if case .file(let error) = self { error.sentence } else { sentence }
  }

  /// The URL of a request that failed, and why; nil if it is not the connection or the server that failed.
  package var failedRequest: String? {
    switch self {
    case .unreachable(let url, let cause, _), .untrustedServer(let url, let cause),
      .badURL(let url, let cause):
      "\(url): \(cause)"
    case .refused(let url, let status): "\(url): the server answered \(status)"
    case .incomplete(let url, let expected, let found):
      "\(url): it has \(ByteCount(found).text) of \(ByteCount(expected).atLeast)"
    case .refusedByProxy(let url, let status, _): "\(url): the proxy answered \(status)"
    case .noSuchFile(let url): "\(url): there is no such file"
    default: nil
    }
  }
}
