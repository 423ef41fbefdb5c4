@testable import Postgres
import Testing

@Suite("Keywords of a connection")
struct ConfigurationTests {
    /// libpq takes the last one of a name; what the DSN holds stands in its place in the list.
    @Test("Q2: a DSN may say how long a silent host is believed, and may not lower TLS")
    func precedence() throws {
        let names = PostgresConfiguration(dsn: "postgres://a,b/serai?tcp_user_timeout=2000").keywords.map(\.0)
        let dsn = try #require(names.firstIndex(of: "dbname"))
        for name in ["tcp_user_timeout", "keepalives_idle", "keepalives_interval", "keepalives_count"] {
            #expect(try #require(names.firstIndex(of: name)) < dsn, "\(name) would override the DSN")
        }
        #expect(try #require(names.firstIndex(of: "ssl_min_protocol_version")) > dsn)
    }
}
