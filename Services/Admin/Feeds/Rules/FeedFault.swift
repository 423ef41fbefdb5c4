/// Why a feed cannot be read, in a word that the console translates.
enum FeedFault: String, Error, CaseIterable, Sendable {
    /// The host is unknown, or is within our network, or the address is none of `https`.
    case address
    /// There was no answer in time, or the connection broke.
    case unreachable
    /// The answer was another status than 200, or redirects did not end.
    case status
    case tooLarge = "too-large"
    /// An encoding that is not known, or bytes that are not of it.
    case encoding
    /// It is no well-formed XML, or declares entities.
    case malformed
    /// It is well-formed, and neither RSS nor Atom.
    case unknown
}
