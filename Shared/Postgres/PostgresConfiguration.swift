/// The address of the database and the limits of every connection.
public struct PostgresConfiguration: Sendable {
    /// A libpq connection string or URI. It includes TLS: `?sslmode=verify-full&sslrootcert=/path/ca.pem`. The
    /// connection is then TLS 1.3, or fails.
    /// Contains the password: never log it.
    public var dsn: String
    /// The schema of unqualified names; nil for the role's default.
    public var schema: String?
    /// Shown in `pg_stat_activity`.
    public var applicationName: String
    /// For one attempt, including name resolution and TLS. At least one second.
    public var connectTimeout: Duration = .seconds(5)
    /// The server ends a statement after this time (57014).
    public var statementTimeout: Duration = .seconds(30)
    /// The server ends a session with an open transaction after this time without a statement.
    public var idleInTransactionTimeout: Duration = .seconds(30)
    /// The server ends a statement that waits for a lock longer than this (55P03).
    public var lockTimeout: Duration = .seconds(10)
    /// Further server settings, such as `synchronous_commit`.
    public var settings: [String: String] = [:]

    /// For sessions that read whole tables, such as commands: the server's own way of planning. A service's role is told in
    /// `deploy/postgres/roles.sql` to find rows by indexes and to keep plans.
    public static let wholeTables = ["enable_seqscan": "on", "plan_cache_mode": "auto"]

    public init(dsn: String, schema: String? = nil, applicationName: String = "serai") {
        self.dsn = dsn
        self.schema = schema
        self.applicationName = applicationName
    }

    /// How long the client waits for an answer: the server's limit and a margin for the network.
    var answerTimeout: Duration { statementTimeout + .seconds(5) }

    /// Keywords for `PQconnectStartParams`; the DSN comes first so that ours override it.
    var keywords: [(String, String)] {
        var options = settings
        options["statement_timeout"] = "\(statementTimeout.wholeMilliseconds)"
        options["idle_in_transaction_session_timeout"] = "\(idleInTransactionTimeout.wholeMilliseconds)"
        options["lock_timeout"] = "\(lockTimeout.wholeMilliseconds)"
        options["TimeZone"] = "UTC"
        // The server must also notice a client host that is gone: otherwise locks of its session would remain for
        // hours.
        options["tcp_keepalives_idle"] = "15"
        options["tcp_keepalives_interval"] = "5"
        options["tcp_keepalives_count"] = "3"
        if let schema { options["search_path"] = Self.quoteIdentifier(schema) + ",public" }
        let text = options.sorted { $0.key < $1.key }.map { "-c \($0.key)=\(Self.escapeOption($0.value))" }
        return [
            // Otherwise Kerberos is asked for credentials before each connection, and there are none here. Before the
            // DSN, which may override it.
            ("gssencmode", "disable"),
            // How long a silent host is believed. Before the DSN, too: where it names several hosts, one that is silent has to be
            // given up within the connect timeout, so that the next is tried.
            ("keepalives", "1"),
            ("keepalives_idle", "15"),
            ("keepalives_interval", "5"),
            ("keepalives_count", "3"),
            ("tcp_user_timeout", "30000"),
            ("dbname", dsn),
            // The minimum version where the DSN asks for TLS. After the DSN, so that it cannot lower it.
            ("ssl_min_protocol_version", "TLSv1.3"),
            ("application_name", applicationName),
            ("client_encoding", "UTF8"),
            ("options", text.joined(separator: " ")),
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
