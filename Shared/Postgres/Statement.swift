/// One SQL statement as a type: its text, its parameters, its rows.
///
/// The text is a literal, so it cannot be built from input, and a connection prepares it once.
///
/// ```swift
/// struct ClaimOrder: Statement {
///     static let sql: SQL = "UPDATE orders SET provider = $2 WHERE id = $1 AND provider IS NULL RETURNING version"
///     let order: UUID, provider: UUID
///     func bind(_ bindings: inout Bindings) {
///         bindings.append(order)
///         bindings.append(provider)
///     }
///     static func decode(_ row: inout RowReader) throws(PostgresError) -> Int { try row.next() }
/// }
/// ```
public protocol Statement: Sendable {
    /// The decoded row; `Void` for statements without rows.
    associatedtype Row: Sendable = Void

    /// One statement with parameters `$1`, `$2`, … Columns of types without a Swift counterpart are cast in the text
    /// (`numeric::text`).
    static var sql: SQL { get }

    /// Appends the parameters in order.
    func bind(_ bindings: inout Bindings)

    /// Reads the columns in order.
    static func decode(_ row: inout RowReader) throws(PostgresError) -> Row
}

extension Statement {
    public func bind(_ bindings: inout Bindings) {}
}

extension Statement where Row == Void {
    public static func decode(_ row: inout RowReader) throws(PostgresError) {}
}

/// A statement ready to be sent: encoded by the caller, so that the connection's thread need not do it.
struct EncodedStatement: Sendable {
    /// The statement's type: the key under which a connection keeps it prepared.
    let key: ObjectIdentifier
    /// Called only when a connection prepares the statement.
    let sql: @Sendable () -> SQL
    let bindings: Bindings
    let typeName: @Sendable () -> String

    init<S: Statement>(_ statement: S) {
        var bindings = Bindings()
        statement.bind(&bindings)
        self.key = ObjectIdentifier(S.self)
        self.sql = { S.sql }
        self.bindings = bindings
        self.typeName = { String(describing: S.self) }
    }
}
