import Contracts
import Foundation
import Matching
import Postgres

/// Finds the providers of a round: the nearest ones of each order from the index, with their data from the database.
/// Takes more from the index where many of the near ones cannot be asked.
struct RoundCandidates: Sendable {
    /// Number of free providers per order at which the search stops.
    static let wanted = 8
    static let firstCandidates = 48
    static let maximumCandidates = 768
    /// Maximum number of providers per database query.
    static let batchLimit = 1_000
    /// The index knows a provider's cell, not the place in it, so the search radius is larger by this much.
    static let cellMetres = 800.0

    let pool: PostgresPool
    let index: PositionIndex
    /// Maximum age of a position in seconds.
    let freshness: TimeInterval

    func callAsFunction(
        for orders: [RoundOrder], in market: Market, _ settings: MarketSettings, _ round: RoundSettings, at now: Date
    ) async throws -> [RoundProvider] {
        let isOpen = settings.isOpen(at: now)
        let since = now - freshness
        var known: [UUID: RoundProvider] = [:]
        var asked: Set<UUID> = []
        var open = orders
        var step = Self.firstCandidates
        while !open.isEmpty {
            let near = open.map { order in
                index.nearest(
                    step, to: order.place,
                    within: Double(round.radius(ofStage: order.stage)) + Self.cellMetres, since: since)
            }
            let new = near.flatMap { $0 }.filter { asked.insert($0.id).inserted }
            let rows = try await read(new.map(\.id), in: market.id, settings)
            for found in new {
                guard let row = rows[found.id] else { continue }
                known[found.id] = RoundProvider(row, found: found, in: market, isOpen: isOpen)
            }
            guard step < Self.maximumCandidates else { break }
            open = zip(open, near).filter { order, found in
                found.count == step && found.count { Self.mayDo(order, known[$0.id]) } < Self.wanted
            }.map(\.0)
            step *= 4
        }
        return Array(known.values)
    }

    private static func mayDo(_ order: RoundOrder, _ provider: RoundProvider?) -> Bool {
        guard let provider else { return false }
        return provider.facts.isEmpty && provider.kinds.contains(order.kind) && !order.declined.contains(provider.id)
            && provider.id != order.customer
    }

    private func read(
        _ accounts: [UUID], in market: String, _ settings: MarketSettings
    ) async throws -> [UUID: ReadRoundProviders.Row] {
        var rows: [UUID: ReadRoundProviders.Row] = [:]
        var rest = accounts[...]
        while !rest.isEmpty {
            let some = Array(rest.prefix(Self.batchLimit))
            rest = rest.dropFirst(some.count)
            let statement = ReadRoundProviders(
                market: market, accounts: some, needsSubscription: settings.subscriptionRequired)
            for row in try await pool.query(statement) { rows[row.account] = row }
        }
        return rows
    }
}
