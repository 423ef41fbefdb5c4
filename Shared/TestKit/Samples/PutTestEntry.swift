public import Postgres

/// Stores an entry of a market's catalogue in a service's own table, as its handler of admin's event does.
public struct PutTestEntry: Statement {
    public static let sql: SQL = """
        INSERT INTO market_catalogue (market, section, id, entry, version) VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (market, section, id) DO UPDATE SET entry = excluded.entry, version = excluded.version
        """
    let market: String
    let section: String
    let id: String
    let json: String
    let version: Int

    public init(market: String = "assef", section: String, id: String, json: String, version: Int = 1) {
        (self.market, self.section, self.id) = (market, section, id)
        (self.json, self.version) = (json, version)
    }

    public func bind(_ bindings: inout Bindings) { bindings.append(market, section, id, json, version) }
}
