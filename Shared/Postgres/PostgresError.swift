/// An error between this process and the database, or inside the database.
public struct PostgresError: Error, Sendable, Equatable {
    public enum Code: String, Sendable {
        /// The server refused the statement; ``PostgresError/sqlState`` says why. Nothing of the statement remains.
        case server
        /// No connection could be made within the connect timeout.
        case connectFailed
        /// The connection ended. Uncommitted work is lost.
        case connectionLost
        /// The connection ended after `COMMIT`, or a statement that commits by itself, was sent: it may have been
        /// committed. Repeat only idempotent work.
        case commitUnknown
        /// No connection became free within the pool's wait limit.
        case poolTimeout
        case poolClosed
        /// The task was cancelled, and with it the statement.
        case cancelled
        /// A row did not have the shape that its statement declares.
        case decoding
        /// An earlier error in the same transaction was ignored; nothing more can run in it.
        case transactionFailed
        /// The rows of a statement did not satisfy ``PostgresTransaction/require(_:_:)``.
        case declined
        /// A setting is wrong, such as a DSN that libpq cannot read.
        case configuration
    }

    public let code: Code
    /// Five characters of PostgreSQL's Appendix A; nil for an error that is not the server's.
    public let sqlState: SQLState?
    public let message: String
    /// May quote column values, such as personal data: for decisions in code, never for logs or users.
    public let detail: String?
    public let constraint: String?
    public let table: String?
    public let column: String?
    /// The Swift type of the statement, for logs.
    public internal(set) var statement: String?

    init(
        _ code: Code, _ message: String, sqlState: SQLState? = nil, detail: String? = nil, constraint: String? = nil,
        table: String? = nil, column: String? = nil, statement: String? = nil
    ) {
        self.code = code
        self.message = message
        self.sqlState = sqlState
        self.detail = detail
        self.constraint = constraint
        self.table = table
        self.column = column
        self.statement = statement
    }

    /// The same error for a connection that ended during a commit.
    var withUnknownCommit: PostgresError {
        PostgresError(.commitUnknown, message, sqlState: sqlState, statement: statement)
    }

    /// Whether a second try of the whole transaction may succeed; the first one left nothing behind.
    public var isTransient: Bool {
        switch code {
        case .connectFailed, .connectionLost, .poolTimeout: true
        case .server: sqlState?.isTransient ?? false
        case .commitUnknown, .poolClosed, .cancelled, .decoding, .transactionFailed, .declined, .configuration: false
        }
    }

    /// Whether the database is not available for any request: wait for it, without counting a failure.
    public var isOutage: Bool {
        switch code {
        case .connectFailed, .connectionLost, .commitUnknown, .poolTimeout: true
        case .server: sqlState?.isOutage ?? false
        case .poolClosed, .cancelled, .decoding, .transactionFailed, .declined, .configuration: false
        }
    }

    /// Whether the circumstances are the cause, and not the request: a lock that others hold, a time limit, a read-only
    /// server, no memory, a plan that a migration made invalid. The same request may succeed later, so the failure must
    /// not be counted against it.
    public var isCircumstance: Bool {
        isOutage || isStalePlan || (code == .server && sqlState?.isCircumstance ?? false)
    }
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["error": description]) }

    /// Without ``detail`` and messages that may quote values.
    public var description: String {
        var text = "\(code.rawValue)"
        if let sqlState { text += " \(sqlState)" }
        text += sqlState?.quotesValues == true ? ": a value was refused" : ": \(message)"
        if let constraint { text += " (constraint \(constraint))" }
        if let statement { text += " in \(statement)" }
        return text
    }
}

/// A condition name of PostgreSQL 15, Appendix A.
public struct SQLState: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let uniqueViolation = SQLState(rawValue: "23505")
    public static let checkViolation = SQLState(rawValue: "23514")
    public static let serializationFailure = SQLState(rawValue: "40001")
    public static let deadlockDetected = SQLState(rawValue: "40P01")
    public static let lockNotAvailable = SQLState(rawValue: "55P03")
    public static let queryCanceled = SQLState(rawValue: "57014")
    /// The server is a standby, or is set to accept no changes.
    public static let readOnlyTransaction = SQLState(rawValue: "25006")
    /// The session held a transaction open without a statement for too long, for example in a stopped process.
    public static let idleInTransaction = SQLState(rawValue: "25P03")
    public static let invalidStatementName = SQLState(rawValue: "26000")
    public static let featureNotSupported = SQLState(rawValue: "0A000")
    public static let undefinedTable = SQLState(rawValue: "42P01")

    public var description: String { rawValue }

    /// Two transactions conflicted; the one that failed may be tried again.
    var isConflict: Bool { self == .serializationFailure || self == .deadlockDetected }

    /// The server is starting, stopping, or out of connections or disk. Out of memory (53200) is not included: one
    /// statement may cause it.
    var isOutage: Bool {
        rawValue.hasPrefix("57P") || rawValue.hasPrefix("08") || ["53100", "53300", "53400"].contains(rawValue)
    }

    /// See ``PostgresError/isCircumstance``.
    var isCircumstance: Bool {
        isOutage || isConflict || rawValue.hasPrefix("53")
            || [Self.lockNotAvailable, .queryCanceled, .readOnlyTransaction, .idleInTransaction].contains(self)
    }

    /// Classes whose messages quote the refused value, or come from a function.
    var quotesValues: Bool { rawValue.hasPrefix("22") || rawValue.hasPrefix("P0") }

    var isTransient: Bool { isConflict || isOutage || self == .lockNotAvailable }
}
