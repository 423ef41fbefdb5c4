import Contracts
import Foundation
import Messaging
import SeraiJSON
import ServiceKit
import TestKit
import Testing

@testable import SeraiDispatch

@Suite("Q10: what people write", .timeLimit(.minutes(15)))
struct FreeTextTests {
    @Test(
        "Q10: medical words are found in both languages, whatever the form of letters; everyday words are not",
        arguments: [
            ("Mother has Diabetes, ring twice", true), ("her medication is in the kitchen", true),
            ("high blood pressure", true), ("أمي مريضة بالسكري", true), ("الدواء في المطبخ", true), ("ضَغْط الدَّم", true),
            ("Second floor, the door on the left", false), ("Please bring bread and milk", false),
            ("الطابق الثاني، الباب الأيسر", false), ("", false),
        ])
    func words(text: String, isMedical: Bool) {
        #expect(MedicalWords.isIn(folded: SearchText.folded(text)) == isMedical)
    }

    @Test(
        "Q10: the market's note is shown, and who writes medical words is warned and not refused; others see no warning"
    )
    func warned() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            func order(_ description: String) async throws -> Answer {
                let body = """
                    {"services": ["companionship"], "time": "\(Timestamp.text(try CareTests.noon()))",
                     "place": {"latitude": 50.45, "longitude": -104.6, "description": "\(description)"},
                     "total": {"amount": 9000000, "currency": "CAD"}}
                    """
                return try await server.post(CareTests.visits, as: customer, body)
            }
            let plain = try await order("Ring twice")
            #expect(plain.status == 201 && plain["warnings"] == nil, "\(plain.json)")
            let medical = try await order("She has dementia, ring twice")
            #expect(medical.status == 201, "\(medical.json)")
            guard case .array(let warnings)? = medical["warnings"] else {
                Issue.record("nobody warns")
                return
            }
            #expect(warnings.map { $0["code"]?.text } == ["medical-words"])
            #expect(warnings.first?["text"]?.text == Market.edencare.freeTextNote?.text(in: "en"))
            let id = try #require(medical["order"]?.text.flatMap(UUID.init(uuidString:)))
            #expect(try await server.get(server.path(id), as: admin)["warnings"] == nil)
            for language in MarketSettings.knownLanguages {
                #expect(Market.edencare.freeTextNote?.texts[language]?.isEmpty == false)
            }
            // Elsewhere people write what they like.
            #expect(WarningView.of(["insulin"], in: "assef", "en") == nil)
        }
    }

    @Test("Q10: whoever writes a reason, or orders for a caller, is warned of medical words; whoever reads them is not")
    func reasons() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            func order(_ description: String, as person: OrderServer.Person) async throws -> Answer {
                let caller = person.account == admin.account ? #""customer": "\#(customer.account.text)","# : ""
                let body = """
                    {\(caller) "services": ["companionship"], "time": "\(Timestamp.text(try CareTests.noon()))",
                     "place": {"latitude": 50.45, "longitude": -104.6, "description": "\(description)"},
                     "total": {"amount": 9000000, "currency": "CAD"}}
                    """
                return try await server.post(CareTests.visits, as: person, body)
            }
            let typed = try await order("She has dementia, ring twice", as: admin)
            #expect(typed.status == 201, "\(typed.json)")
            #expect(typed["warnings"] != nil)
            let own = try await order("Ring twice", as: customer)
            let id = try #require(own["order"]?.text.flatMap(UUID.init(uuidString:)))
            let cancelled = try await server.post(
                server.path(id) + "/cancel", as: customer, #"{"reason": "Her diabetes is worse"}"#)
            #expect(cancelled.status == 200 && cancelled["warnings"] != nil, "\(cancelled.json)")
            #expect(try await server.get(server.path(id), as: admin)["warnings"] == nil)
        }
    }

    @Test(
        "Q10: a partner who declines, or gives up, for a reason with medical words is warned, though the visit is gone")
    func partners() async throws {
        try await OrderServer.with { server in
            let customer = try await server.owner("Ada", in: "edencare")
            let partner = try await server.partner()
            let admin = try await server.person(roles: ["admin"], in: "edencare")
            let order = try await CareTests.ordered(server, customer, CareTests.body(try CareTests.noon()))
            let medical = #"{"reason": "She has dementia and needs insulin"}"#
            func warned(_ answer: Answer) {
                #expect(answer.status == 200 && answer["order"] == nil, "\(answer.json)")
                guard case .array(let warnings)? = answer["warnings"] else {
                    Issue.record("nobody warns")
                    return
                }
                #expect(warnings.map { $0["code"]?.text } == ["medical-words"])
            }
            #expect(try await CareTests.assign(server, order, partner, by: admin).status == 200)
            warned(try await server.act("decline", order, as: partner, medical))
            #expect(try await CareTests.assign(server, order, partner, by: admin).status == 200)
            #expect(try await server.act("accept", order, as: partner).status == 200)
            warned(try await server.act("give-up", order, as: partner, medical))
            #expect(try await CareTests.assign(server, order, partner, by: admin).status == 200)
            let plain = try await server.act("decline", order, as: partner, #"{"reason": "Too far"}"#)
            #expect(plain.status == 204)
        }
    }

    @Test("P7: each reason of a series' visit or end has words in both languages")
    func series() {
        let visits = [
            "missed", "unknown-service", "outside-opening-hours", "outside-service-area", "price-rose",
            "price-not-agreed",
            "not-linked", "relative-left", "account-blocked", "payment-method-required", "unknown-provider",
            "not-a-customer", "customer-banned", "not-in-market",
        ]
        for language in MarketSettings.knownLanguages {
            for reason in visits { #expect(Market.words(forVisitOfSeries: reason).texts[language]?.isEmpty == false) }
            for reason in ["relative-left", "relative-banned", "customer-left"] {
                #expect(Market.words(forEndOfSeries: reason).texts[language]?.isEmpty == false)
            }
        }
    }
}
