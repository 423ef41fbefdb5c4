import Foundation
import Postgres

/// What becomes of a message whose handling failed. Pure.
enum FailurePolicy {
    enum Verdict: Equatable {
        /// Nothing is wrong with the message: the database cannot be used now. Try again here, without counting.
        case waitForDatabase
        /// Nothing is wrong with the message, and others may have what it lacks: it waits in a queue, without counting.
        case delay
        case retryLater(failedAttempts: Int)
        case deadLetter(reason: String)
        /// The process is stopping: the broker delivers it to another.
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
    /// - Parameter since: when it was first, by a header that anybody could write.
    static func isGivenUp(unknownSince since: Date?, now: Date, patience: Duration) -> Bool {
        guard let since else { return false }
        return now.timeIntervalSince(since) >= patience / .seconds(1)
    }

    /// Short, and without values: descriptions of our errors quote none, and other errors give their type only.
    static func describe(_ error: any Error) -> String {
        switch error {
        case let error as PostgresError: error.description
        case let error as DecodingError: "the payload does not decode: \(error.fieldPath)"
        case let error as PoisonMessage: error.reason
        case let error as UnknownName: "nothing here handles \(error.name)"
        default: String(reflecting: type(of: error))
        }
    }
}

/// This process has no handler for the name. While a service is updated process by process, others of it may have one; after
/// a way back to an earlier version, none has for as long as that lasts. So it comes again and again, and is not counted.
struct UnknownName: Error, Equatable {
    let name: String
}

extension DecodingError {
    /// The field at fault, without its value.
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
