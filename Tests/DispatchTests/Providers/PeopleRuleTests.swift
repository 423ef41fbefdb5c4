import SeraiJSON
import Testing

@testable import SeraiDispatch

@Suite("Rules about providers")
struct PeopleRuleTests {
    @Test(
        "P7: names are found whatever their case, accents, vowel signs and forms of letters",
        arguments: [
            ("Sara  AL-Otaibi ", "sara al-otaibi"), ("José Ñandú", "jose nandu"), ("Ｓａｒａ", "sara"),
            ("أَحْمَد", "احمد"), ("إبراهيم", "ابراهيم"), ("آمنة", "امنه"), ("مُصطفى", "مصطفي"), ("محـــمد", "محمد"),
            ("مؤمن", "مومن"), ("عائشة", "عايشه"), ("علی", "علي"), ("Müßig Øberg", "mussig oberg"), ("O’Neil", "oneil"),
            ("", ""),
        ])
    func names(name: String, folded: String) {
        #expect(SearchName.folded(name) == folded)
        #expect(SearchName.folded(folded) == folded)
    }

    static let rules = OfferingRules(
        services: [.init(id: "injection", titles: ["nurse"]), .init(id: "session", titles: [])], title: "doctor")

    @Test("C2: a title may do its services and those of all titles")
    func titles() {
        #expect(Self.rules.allowed == ["session"])
        #expect(OfferingRules(services: Self.rules.services, title: "nurse").allowed == ["injection", "session"])
        #expect(OfferingRules(services: Self.rules.services, title: nil).allowed == ["session"])
    }

    @Test("C2: each wrong offering is named")
    func faults() {
        let faults = Self.rules.faults(of: [
            Offering(service: "session", price: 1), Offering(service: "injection", price: 1),
            Offering(service: "magic", price: 1), Offering(service: "session", price: 2),
        ])
        #expect(faults.map(\.index) == [1, 2, 3])
        #expect(faults.map(\.fault) == [.notForTitle, .unknownService, .twice])
    }

    @Test("C4: available is who is verified and does something; anybody may stop")
    func availability() throws {
        try AvailabilityRule.check(wanted: true, isVerified: true, offerings: 1)
        try AvailabilityRule.check(wanted: false, isVerified: false, offerings: 0)
        #expect(throws: AvailabilityRefusal.notVerified) {
            try AvailabilityRule.check(wanted: true, isVerified: false, offerings: 1)
        }
        #expect(throws: AvailabilityRefusal.noOfferings) {
            try AvailabilityRule.check(wanted: true, isVerified: true, offerings: 0)
        }
    }
}
