/// How to reach the database and what limits every connection has.
public struct PostgresConfiguration: Sendable {
    /// A libpq connection string or URI. TLS is part of it: `?sslmode=verify-full&sslrootcert=/path/ca.pem`.
    /// It is TLS 1.3 then, or no connection.
    /// Holds the password: never log it.
    public var dsn: String
    /// The schema that unqualified names mean; nil keeps the role's default.
    public var schema: String?
    /// Shown in `pg_stat_activity`.
    public var applicationName: String
    /// For one attempt, name resolution and TLS included. At least one second.
    public var connectTimeout: Duration = .seconds(5)
    /// The server ends a statement after this (57014).
    public var statementTimeout: Duration = .seconds(30)
    /// The server ends a session that holds a transaction open for this long without a statement.
    public var idleInTransactionTimeout: Duration = .seconds(30)
    /// The server ends a statement that waits for a lock longer than this (55P03).
    public var lockTimeout: Duration = .seconds(10)
    /// Further server settings, such as `synchronous_commit`.
    public var settings: [String: String] = [:]

    /// For sessions whose statements find their rows by an index, however small the table is: a plan that was kept while it
    /// was small would read all of it, and still do so when it has grown, until the server has looked at it anew. What has
    /// no index for its rows still reads all of them; such a plan looks so dear that the server would compile it.
    public static let rowsByIndex = ["enable_seqscan": "off", "jit": "off"]

    /// As ``rowsByIndex``, with plans that do not depend on what is asked. By itself a server plans each statement five
    /// times in each session before it may keep a plan, and goes on with it where an array could be shorter than usual.
    ///
    /// Not where what a statement is asked decides how to go about it, as with lists that can be narrowed in many ways;
    /// for single ones there is ``PostgresTransaction/planAnew()``.
    public static let plansMadeOnce = rowsByIndex.merging(["plan_cache_mode": "force_generic_plan"]) { $1 }

    public init(dsn: String, schema: String? = nil, applicationName: String = "serai") {
        self.dsn = dsn
        self.schema = schema
        self.applicationName = applicationName
    }

    /// How long the client itself waits for an answer: the server's limit and a margin for the network.
    var answerTimeout: Duration { statementTimeout + .seconds(5) }

    /// Keywords for `PQconnectStartParams`; the DSN comes first so that ours override it.
    var keywords: [(String, String)] {
        var options = settings
        options["statement_timeout"] = "\(statementTimeout.wholeMilliseconds)"
        options["idle_in_transaction_session_timeout"] = "\(idleInTransactionTimeout.wholeMilliseconds)"
        options["lock_timeout"] = "\(lockTimeout.wholeMilliseconds)"
        options["TimeZone"] = "UTC"
        // The server must notice a client host that is gone too: locks of its session would outlive it for hours.
        options["tcp_keepalives_idle"] = "15"
        options["tcp_keepalives_interval"] = "5"
        options["tcp_keepalives_count"] = "3"
        if let schema { options["search_path"] = Self.quoteIdentifier(schema) + ",public" }
        let text = options.sorted { $0.key < $1.key }.map { "-c \($0.key)=\(Self.escapeOption($0.value))" }
        return [
            // Asks Kerberos for credentials before each connection, and nobody here has any. Before the DSN: it may say
            // otherwise.
            ("gssencmode", "disable"),
            ("dbname", dsn),
            // Where TLS is spoken at all, which the DSN says. After it, so that nothing lowers it.
            ("ssl_min_protocol_version", "TLSv1.3"),
            ("application_name", applicationName),
            ("client_encoding", "UTF8"),
            ("options", text.joined(separator: " ")),
            ("keepalives", "1"),
            ("keepalives_idle", "15"),
            ("keepalives_interval", "5"),
            ("keepalives_count", "3"),
            ("tcp_user_timeout", "30000"),
        ]
    }

    /// The server splits `options` at spaces; a backslash takes the next character literally.
    private static func escapeOption(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing(" ", with: "\\ ")
    }

    static func quoteIdentifier(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
}

extension Duration {
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
