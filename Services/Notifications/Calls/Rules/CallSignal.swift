import Foundation

/// What two browsers tell each other to find a way for their voices: a description (SDP, RFC 8866) or a candidate
/// (RFC 8839). It is passed on, never stored longer than the call, and never logged.
enum CallSignal: Sendable, Equatable {
    case offer(String)
    case answer(String)
    /// An empty text says that no more follow.
    case candidate(String)

    /// Browsers' descriptions of one voice take two to three thousand bytes.
    static let descriptionLimit = 6_000
    static let lineLimit = 250
    static let candidateLimit = 500
    /// Of one party in one call. Browsers find about ten.
    static let candidatesLimit = 60

    enum Fault: Error, Sendable, Equatable {
        case tooLong
        case notSDP
        /// Something else than exactly one voice: a picture or data.
        case notOneVoice
        case notCandidate
        case unprintable
    }

    /// Nil if it may be passed on.
    var fault: Fault? {
        switch self {
        case .offer(let text), .answer(let text): Self.descriptionFault(text)
        case .candidate(let text): Self.candidateFault(text)
        }
    }

    private static func descriptionFault(_ text: String) -> Fault? {
        guard text.utf8.count <= descriptionLimit else { return .tooLong }
        guard text.utf8.allSatisfy({ isPrintable($0) || $0 == 13 || $0 == 10 }) else { return .unprintable }
        // CR and LF together are one character in Swift.
        let lines = text.split(omittingEmptySubsequences: true, whereSeparator: \.isNewline)
        guard lines.count <= lineLimit else { return .tooLong }
        guard lines.first == "v=0" else { return .notSDP }
        let media = lines.filter { $0.hasPrefix("m=") }
        guard media.count == 1, media[0].hasPrefix("m=audio ") else { return .notOneVoice }
        return nil
    }

    private static func candidateFault(_ text: String) -> Fault? {
        guard text.utf8.count <= candidateLimit else { return .tooLong }
        guard text.utf8.allSatisfy(isPrintable) else { return .unprintable }
        guard text.isEmpty || text.hasPrefix("candidate:") else { return .notCandidate }
        return nil
    }

    private static func isPrintable(_ byte: UInt8) -> Bool { (32...126).contains(byte) }
}
