import Contracts
import Testing

@Suite("N4: who may write to whom, by market")
struct TalkRuleTests {
    typealias State = OrderSnapshot.State
    typealias Actor = OrderSnapshot.Actor

    struct Case: Sendable, CustomTestStringConvertible {
        let market: Market
        let kind: String
        let pair: Set<Actor>
        /// In which of the states they may write.
        let states: Set<State>
        let goesOnAfter: Bool
        var testDescription: String { "\(market.id) \(kind) \(pair.map(\.rawValue).sorted())" }

        init(_ market: Market, _ kind: String, _ pair: Set<Actor>, _ states: Set<State>, goesOnAfter: Bool = true) {
            self.market = market
            self.kind = kind
            self.pair = pair
            self.states = states
            self.goesOnAfter = goesOnAfter
        }
    }

    private static let taken: Set<State> = [.accepted, .preparing, .enRoute, .arrived, .inProgress]

    private static let table = [
        Case(.assef, "visit", [.customer, .provider], [.enRoute, .arrived, .inProgress]),
        Case(.edencare, "homeCare", [.customer, .provider], taken),
        Case(.carrepsa, "parcel", [.customer, .provider], taken),
        Case(.btnc, "ride", [.customer, .provider], [.accepted, .enRoute, .arrived]),
        Case(.btnc, "food", [.customer, .provider], taken), Case(.btnc, "food", [.provider, .merchant], taken),
        Case(
            .btnc, "food", [.customer, .merchant], [.requested, .preparing, .offered, .accepted, .enRoute, .arrived],
            goesOnAfter: false),
        Case(.btnc, "bikeDropOff", [.customer, .provider], taken),
    ]

    @Test(
        "N4: assef from on the way, others from the acceptance, rides around the ride, restaurants before dispatch",
        arguments: table)
    func states(_ one: Case) throws {
        let rules = one.market.talkRules(of: one.kind).filter { [$0.first, $0.second] == one.pair }
        let rule = try #require(rules.first)
        #expect(rules.count == 1)
        for state in State.allCases { #expect(rule.states.contains(state) == one.states.contains(state), "\(state)") }
        #expect(rule.goesOnAfter == one.goesOnAfter)
    }

    @Test("N4: nobody else may, before somebody has taken the order least of all")
    func noOthers() {
        let known = Set(Self.table.map { "\($0.market.id) \($0.kind) \($0.pair.map(\.rawValue).sorted())" })
        for market in Market.all {
            for kind in market.kinds {
                for rule in market.talkRules(of: kind.id) {
                    #expect(
                        known.contains("\(market.id) \(kind.id) \([rule.first, rule.second].map(\.rawValue).sorted())"))
                    #expect(rule.states.isDisjoint(with: [.pending, .completed, .cancelled, .refused, .expired]))
                    if rule.second == .provider { #expect(rule.states.isDisjoint(with: [.requested, .offered])) }
                }
                // A hired bike has nobody to write to; each other kind has somebody.
                #expect(market.talkRules(of: kind.id).isEmpty == !kind.workflow.hasProvider, "\(market.id) \(kind.id)")
            }
            #expect(market.talkRules(of: "dance").isEmpty)
        }
    }

    @Test("P8: contacts are hidden where the market does not open them")
    func contacts() {
        #expect(Market.assef.hidesContacts(of: "visit") && Market.btnc.hidesContacts(of: "ride"))
        #expect(!Market.carrepsa.hidesContacts(of: "parcel") && !Market.edencare.hidesContacts(of: "homeCare"))
    }
}
