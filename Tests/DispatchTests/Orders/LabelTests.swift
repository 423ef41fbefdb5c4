import Contracts
import Testing

@testable import SeraiDispatch

@Suite("P7: the markets' words for orders")
struct LabelTests {
    static let languages = ["en", "ar"]

    /// Each market's kinds of orders with their workflows.
    private static func forEachKind(
        _ body: (Market, Market.OrderKind, Workflow) throws -> Void
    ) throws {
        for market in Market.all {
            for kind in market.kinds { try body(market, kind, try #require(Workflow.named(kind.id), "\(kind.id)")) }
        }
    }

    @Test("P7, O1: each state that an order of a market can reach has a label in both languages, whoever reads it")
    func labels() throws {
        try Self.forEachKind { market, kind, workflow in
            for reached in Set(workflow.rows.map(\.to) + [workflow.first]) {
                let state = OrderSnapshot.State(reached)
                let name = "\(market.id) \(kind.id) \(state)"
                let label = try #require(kind.labels[state] ?? market.labels[state], "\(name)")
                for words in [label.customer, label.provider, label.merchant].compactMap({ $0 }) {
                    for language in Self.languages {
                        #expect(words.texts[language]?.isEmpty == false, "\(name) \(language)")
                    }
                }
            }
        }
    }

    @Test("O1, P7: what has expired is called so in every market, and its reason says why in both languages")
    func expired() throws {
        try Self.forEachKind { market, kind, workflow in
            for (language, word) in [("en", "Expired"), ("ar", "انتهت المهلة")] {
                #expect(market.label(of: .expired, for: .customer, in: language, kind: kind.id) == word)
            }
            for row in workflow.rows where row.to == .expired && row.from != .expired {
                let reasons = row.effects.compactMap { effect -> String? in
                    if case .because(let reason) = effect { reason } else { nil }
                }
                #expect(reasons.count == 1, "\(row)")
                for reason in reasons {
                    let words = try #require(market.words(for: reason), "\(market.id) \(kind.id) \(reason)")
                    for language in Self.languages { #expect(words.texts[language]?.isEmpty == false, "\(reason)") }
                }
            }
        }
    }

    @Test("C6, O9, O10: what was not picked up blames nobody: a hire has no driver who could have come")
    func neutral() {
        #expect(Market.btnc.words(for: "not-picked-up")?.text(in: "en") == "It was not picked up in time")
        #expect(Market.btnc.words(for: "nobody-found")?.text(in: "en") == "No driver was found")
        #expect(Market.carrepsa.words(for: "nobody-found")?.text(in: "en") == "Nobody was found in time")
        #expect(Market.assef.words(for: "payment-window-over")?.text(in: "en") == "It was not paid in time")
    }
}
