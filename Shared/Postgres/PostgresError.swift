/// What went wrong between this process and the database, or inside the database.
public struct PostgresError: Error, Sendable, Equatable {
    public enum Code: String, Sendable {
        /// The server refused the statement; ``PostgresError/sqlState`` says why. Nothing of the statement remains.
        case server
        /// No connection could be made within the connect timeout.
        case connectFailed
        /// The connection ended under way. Work that was not committed is gone.
        case connectionLost
        /// The connection ended after `COMMIT`, or a statement that commits itself, was sent: it may have happened.
        /// Repeat only what is idempotent.
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
        /// The rows of a statement were not what ``PostgresTransaction/require(_:_:)`` asks for.
        case declined
        /// A setting is wrong, such as a DSN that libpq cannot read.
        case configuration
    }

    public let code: Code
    /// Five characters of PostgreSQL's Appendix A; nil when the error is not the server's.
    public let sqlState: SQLState?
    public let message: String
    /// May quote column values, personal data among them: for decisions in code, never for logs or users.
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

    /// The same end of the connection, where a commit was under way.
    var withUnknownCommit: PostgresError {
        PostgresError(.commitUnknown, message, sqlState: sqlState, statement: statement)
    }

    /// A second try of the whole transaction may succeed where this one failed, and the first left nothing behind.
    public var isTransient: Bool {
        switch code {
        case .connectFailed, .connectionLost, .poolTimeout: true
        case .server: sqlState?.isTransient ?? false
        case .commitUnknown, .poolClosed, .cancelled, .decoding, .transactionFailed, .declined, .configuration: false
        }
    }

    /// The database cannot be used now, whatever is asked of it: wait for it instead of counting the failure.
    public var isOutage: Bool {
        switch code {
        case .connectFailed, .connectionLost, .commitUnknown, .poolTimeout: true
        case .server: sqlState?.isOutage ?? false
        case .poolClosed, .cancelled, .decoding, .transactionFailed, .declined, .configuration: false
        }
    }

    /// The moment is the cause, and not what was asked: a lock that others hold, a limit of time, a server that only reads
    /// now, no memory, a plan that a migration made stale. The same may succeed later, so it must not count against whoever
    /// asked.
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
    /// The server is a standby, or told to take no changes.
    public static let readOnlyTransaction = SQLState(rawValue: "25006")
    /// The session held a transaction open without a statement for too long, as one of a stopped process does.
    public static let idleInTransaction = SQLState(rawValue: "25P03")
    public static let invalidStatementName = SQLState(rawValue: "26000")
    public static let featureNotSupported = SQLState(rawValue: "0A000")
    public static let undefinedTable = SQLState(rawValue: "42P01")

    public var description: String { rawValue }

    /// Two transactions met; the loser may simply try again.
    var isConflict: Bool { self == .serializationFailure || self == .deadlockDetected }

    /// The server is starting, stopping, or out of connections, memory or disk.
    /// Out of memory (53200) is not among these: it may be one statement's own.
    var isOutage: Bool {
        rawValue.hasPrefix("57P") || rawValue.hasPrefix("08") || ["53100", "53300", "53400"].contains(rawValue)
    }

    /// See ``PostgresError/isCircumstance``.
    var isCircumstance: Bool {
        isOutage || isConflict || rawValue.hasPrefix("53")
            || [Self.lockNotAvailable, .queryCanceled, .readOnlyTransaction, .idleInTransaction].contains(self)
    }

    /// Classes whose messages quote the value that was refused, or are written by a function.
    var quotesValues: Bool { rawValue.hasPrefix("22") || rawValue.hasPrefix("P0") }

    var isTransient: Bool { isConflict || isOutage || self == .lockNotAvailable }
}
