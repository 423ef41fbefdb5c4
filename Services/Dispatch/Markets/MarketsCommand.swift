import ArgumentParser
import Contracts

/// `dispatch markets`
struct MarketsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "markets", abstract: "List the markets that this program knows, as they begin.")

    static var table: String {
        let rows = Market.all.map { market in
            [
                market.id, market.name.text(in: "en"), listed(market.kinds.map(\.id)),
                listed(market.kinds.map(\.matching.rawValue)),
                market.defaults.currency, market.defaults.timeZone, market.defaults.languages.joined(separator: ","),
                String(market.services.count),
            ]
        }
        let head = ["market", "name", "workflow", "matching", "currency", "zone", "languages", "services"]
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        let lines = ([head] + rows).map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: "  ")
        }
        return lines.joined(separator: "\n")
    }

    /// A dash where there is nothing, so that each line has all columns.
    private static func listed(_ names: [String]) -> String {
        names.isEmpty ? "-" : names.joined(separator: ",")
    }

    func run() async throws { print(Self.table) }
}
