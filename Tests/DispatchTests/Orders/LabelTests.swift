import Contracts
import Foundation
import SeraiJSON
import Testing

@testable import SeraiDispatch
@testable import ServiceKit

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

    @Test("P7: whatever the state of an order, in every market and kind, it has a word in both languages")
    func everyState() {
        for market in Market.all {
            for kind in market.kinds.map(\.id) + ["another"] {
                for state in OrderSnapshot.State.allCases {
                    for role in [OrderSnapshot.Actor.customer, .provider, .merchant, .admin] {
                        let labels = Self.languages.map { market.label(of: state, for: role, in: $0, kind: kind) }
                        #expect(labels[0] != labels[1] && !labels.contains(state.rawValue), "\(kind) \(state)")
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

    @Test("P7: each reason that the platform gives has words in both languages, in every market")
    func reasons() throws {
        let given = Workflow.all.flatMap(\.rows).flatMap(\.effects).compactMap { effect -> String? in
            if case .because(let reason) = effect { reason } else { nil }
        }
        #expect(Set(given).subtracting(OrderSnapshot.reasons) == [])
        let platform = Set(given).union(OrderTrigger.PaymentNews.reasons)
        for market in Market.all {
            let own = market.reportReasons.map(\.id)
            for reason in platform.union(own).sorted() {
                let words = try #require(market.words(for: reason), "\(market.id) \(reason)")
                for language in Self.languages { #expect(words.texts[language]?.isEmpty == false, "\(reason)") }
            }
        }
    }

    @Test("P7: a refusal names the state of an order in words, whatever the state, and never by its slug")
    func states() throws {
        var catalogue = try ProblemCatalogue.common()
        for (language, json) in DispatchService.catalogues { try catalogue.add(language, json: json) }
        try catalogue.validate()
        for language in [Language.english, .arabic] {
            for state in OrderState.allCases {
                for problem in ["order-state", "order-window-over", "provider-busy", "order-not-tracked"] {
                    let key = "problem.\(problem).detail"
                    let words = try #require(catalogue.text(key, in: language, ["state": state.rawValue]))
                    let unknown = try #require(catalogue.text(key, in: language, ["state": "#"]))
                    let word = try #require(catalogue.text("word.state.\(state.rawValue)", in: language), "\(state)")
                    #expect(words == unknown.replacing("#", with: word))
                    if language == .arabic { #expect(!words.contains(state.rawValue)) }
                }
            }
        }
    }

    @Test("P7: each slug that a view answers with has a word in both languages: sizes, bikes, deposits, payees, series")
    func words() {
        let sizes = Order.Ride.Size.allCases.map(\.rawValue) + ["food", OrderDropOff.tariff, OrderHire.tariff]
        var words = sizes.map { Market.words(forSize: $0) }
        words += BikeType.allCases.map(\.name) + BikeCondition.allCases.map(\.name)
        words += [Order.Deposit.State.open, .awaited, .locked, .returned, .forfeited].map(\.name)
        words += [Order.Ending.Payee.provider, .merchant, .customer, .both, .platform, .nobody].map(\.name)
        words += [Series.State.active, .ended].map(\.name)
        words += [SeriesVisit.State.planned, .requested, .skipped, .refused, .missed].map(\.name)
        words += Series.Consent.Method.allCases.map { Market.words(forMethod: $0.rawValue) }
        for language in Self.languages {
            #expect(words.allSatisfy { $0?.texts[language]?.isEmpty == false })
            #expect(BikeType.names(in: language).count == BikeType.allCases.count)
            for market in Market.all {
                for kind in market.kinds { #expect(market.name(ofKind: kind.id, in: language)?.isEmpty == false) }
                for state in OrderSnapshot.State.allCases {
                    #expect(market.label(ofSeriesOrder: state.rawValue, in: language) != nil)
                }
            }
        }
        #expect(Market.words(forSize: "another") == nil && Market.btnc.name(ofKind: "another", in: "en") == nil)
    }

    @Test("P7: in the document of the service each list of words of these views has its words beside it")
    func siblings() {
        let document = String(decoding: DispatchService.openAPI, as: UTF8.self)
        let lines = document.split(separator: "\n", omittingEmptySubsequences: false)
        let asked = ["size", "vehicle", "depositState", "orderState", "paymentState", "paidTo", "kind"]
        for name in asked {
            let found = lines.indices.filter { lines[$0].drop { $0 == " " }.hasPrefix("\(name): {") }
            #expect(name == "paidTo" || !found.isEmpty, "\(name)")
            for index in found where lines[index].contains("x-extensible-enum") || lines[index].contains("schemas/") {
                let next = lines[min(index + 1, lines.count - 1)]
                let words = ["\(name)Name:", "\(name)Text:", "name:"]
                #expect(words.contains { next.contains($0) }, "\(lines[index])")
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
