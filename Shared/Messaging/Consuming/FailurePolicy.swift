import Foundation
import Postgres

/// Decides what happens to a message whose handling failed. Pure.
enum FailurePolicy {
    enum Verdict: Equatable {
        /// The message is not at fault: the database is not available. Try again here, without counting.
        case waitForDatabase
        /// The message is not at fault, and another process may handle it: it waits in a queue, without counting.
        case delay
        case retryLater(failedAttempts: Int)
        case deadLetter(reason: String)
        /// The process is stopping: the broker delivers the message to another.
        case leave
    }

    static func judge(_ error: any Error, failedBefore: Int, limit: Int) -> Verdict {
        if error is CancellationError { return .leave }
        if let poison = error as? PoisonMessage { return .deadLetter(reason: poison.reason) }
        if let error = error as? PostgresError {
            if error.isOutage { return .waitForDatabase }
            if error.code == .cancelled || error.code == .poolClosed { return .leave }
            if error.isCircumstance { return .delay }
        }
        if error is UnknownName { return .delay }
        let failures = failedBefore + 1
        guard failures < limit else {
            return .deadLetter(reason: "failed \(failures) times, at last: \(describe(error))")
        }
        return .retryLater(failedAttempts: failures)
    }

    /// Whether a name has been unknown for too long.
    /// - Parameter since: the first time, by a header that any sender can write.
    static func isGivenUp(unknownSince since: Date?, now: Date, patience: Duration) -> Bool {
        guard let since else { return false }
        return now.timeIntervalSince(since) >= patience / .seconds(1)
    }

    /// A short description without values: our errors quote none, and of other errors only the type is given.
    static func describe(_ error: any Error) -> String {
        switch error {
        case let error as PostgresError: error.description
        case let error as DecodingError: "the payload does not decode: \(error.fieldPath)"
        case let error as PoisonMessage: error.reason
        case let error as UnknownName: "nothing here handles \(error.name)"
        case let error as ForeignMessage: "\(error.name) came by \(error.exchange), \(error.routingKey)"
        default: String(reflecting: type(of: error))
        }
    }
}

/// The message did not come by its owner's exchange. It is a dead letter at once, and is never put back: there it would
/// look like one that came back from a retry.
struct ForeignMessage: Error, Equatable {
    let name: String
    let exchange: String
    let routingKey: String
}

/// This process has no handler for the name. During a rolling update other processes may have one; after a rollback
/// none has for some time. The message therefore comes again without being counted.
struct UnknownName: Error, Equatable {
    let name: String
}

extension DecodingError {
    /// The path of the wrong field, without its value.
    fileprivate var fieldPath: String {
        let (problem, path): (String, [any CodingKey]) =
            switch self {
            case .typeMismatch(_, let context): ("wrong type", context.codingPath)
            case .valueNotFound(_, let context): ("null", context.codingPath)
            case .keyNotFound(let key, let context): ("missing", context.codingPath + [key])
            case .dataCorrupted(let context): ("corrupt", context.codingPath)
            @unknown default: ("unreadable", [])
            }
        return "\(problem) at /\(path.map(\.stringValue).joined(separator: "/"))"
    }
}
