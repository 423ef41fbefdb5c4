import Contracts
import Foundation
import Hummingbird
import Logging
import Postgres
import ServiceKit

/// Everything under `/admin/v1` but the guide. Only admins may call it: of a market for what is the market's, or of all (`*`).
struct AdminRoutes: Sendable {
    let pool: PostgresPool
    /// For figures and files, which may be a moment behind: a replica, where there is one.
    var replica: PostgresPool?
    let sealer: CursorSealer
    let idempotency: IdempotencyStore
    let clock: @Sendable () -> Date
    /// The words of what happened to orders; without them only names are shown.
    var catalogue: ProblemCatalogue?
    var logger = Logger(label: AdminService.name)
    /// Nil where no weather service is configured.
    var weather: WeatherDesk?
    /// The address that people know the website by, without a slash at the end.
    var siteURL = "https://serai.example"
    /// Whether sections without texts get those that come with the program.
    var seedsContent = true
    /// Where news may be imported from.
    var feedAddress = OutgoingAddress(allowsPrivate: false)

    /// Where figures and files are read.
    var late: PostgresPool { replica ?? pool }

    /// The market of the path, for one of its admins.
    ///
    /// - Throws: 403 for everybody else, 404 when an admin of all markets names one that there is not.
    func market(_ context: AuthenticatedContext) throws(Problem) -> Market {
        let id = context.parameters.get("market") ?? ""
        try context.caller.require("admin", in: id)
        guard let market = Market.named(id) else { throw .notFound }
        return market
    }

    /// A market's settings of this moment.
    func inForce(in market: Market) async throws -> MarketSettings {
        EffectiveSettings(market, try await pool.query(ListSettings(market: market.id))).settings
    }
}

extension Caller {
    /// The markets that the caller is an admin of, or while it reads of their support; nil is all of them, empty is
    /// none.
    var administered: [String]? {
        let names: Set = isReading ? ["admin", "support"] : ["admin"]
        let ranks = roles.filter { names.contains($0.role) }
        guard !ranks.contains(where: { $0.market == "*" && $0.role == "admin" }) else { return nil }
        return Set(ranks.map(\.market)).subtracting(["*"]).sorted()
    }

    /// - Throws: 403 when the caller is an admin nowhere.
    func requireAdmin() throws(Problem) {
        guard let administered, administered.isEmpty else { return }
        throw roles.contains { $0.role == "support" } ? .supportReadsOnly : .forbidden
    }
}
