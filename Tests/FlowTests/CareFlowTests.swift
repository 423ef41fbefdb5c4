import Contracts
import Foundation
import Phones
import TestKit
import Testing

@Suite("A visit of a care partner", .platform(), .timeLimit(.minutes(5)))
struct CareFlowTests {
    private struct Visit: Encodable {
        struct Place: Encodable {
            var latitude = 50.45
            var longitude = -104.6
        }
        var services = ["companionship"]
        var place = Place()
        /// Nil is at once.
        var time: String?
    }

    private static let home = Coordinate(latitude: 50.45, longitude: -104.6)

    /// Noon in Regina, three days from now.
    private static func noon() throws -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "America/Regina") ?? .gmt
        let day = calendar.date(byAdding: .day, value: 3, to: Date()) ?? Date()
        let noon = calendar.date(bySettingHour: 12, minute: 0, second: 0, of: day) ?? day
        return noon.formatted(.iso8601)
    }

    /// Visits at all hours, so that one can be had at once whenever the tests run.
    private func openAlways(_ desk: AdminDesk) async throws {
        try await desk.change([.openingHours: "always"], in: Market.edencare.id)
    }

    private func ordered(_ customer: Newcomer, at time: String? = nil) async throws -> UUID {
        let order: OrderView = try await customer.phone.send(
            try .post("/dispatch/v1/markets/edencare/visits", Visit(time: time))
        ).decode()
        try await customer.pay(order.id)
        try await customer.stream.order(order.id, is: .requested)
        return order.id
    }

    @Test("O7, W6: held when ordered, sent by the desk, confirmed, begun, finished and captured")
    func whole() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        try await openAlways(desk)
        let customer = try await Newcomer.byLink("Ada", in: "edencare", living: Self.home, of: platform.town)
        let partner = try await Newcomer.invited(
            "Paul", title: "care-partner", in: "edencare", by: desk, of: platform.town)
        try await customer.fill(5_000, in: "edencare")
        let order = try await ordered(customer)
        #expect(try await customer.phone.wallets().first { $0.currency == "CAD" }?.held == 3_000)
        try await confirm(order, desk, partner)
        try await customer.stream.order(order, is: .accepted)
        try await partner.phone.act("start", on: order)
        try await customer.stream.order(order, is: .inProgress)
        try await partner.phone.act("complete", on: order)
        for person in [customer, partner] {
            try await person.stream.order(order, "paid out", within: .seconds(30)) {
                $0.snapshot.payment.state == .captured
            }
        }
        #expect(try await customer.phone.balance(in: "CAD") == 2_000)
    }

    private func confirm(_ order: UUID, _ desk: AdminDesk, _ partner: Newcomer) async throws {
        try await desk.phone.until("dispatch knows the partner") {
            do {
                try await desk.phone.act("assignment", on: order, ["provider": partner.account.path])
                return true
            } catch let refusal as Refusal where refusal.status == 422 {
                return false
            }
        }
        try await partner.stream.order(order, is: .offered)
        try await partner.phone.act("accept", on: order)
    }

    @Test("O7: a visit for another day is not begun, nor paid for, before its time")
    func early() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let customer = try await Newcomer.byLink("Ada", in: "edencare", living: Self.home, of: platform.town)
        let partner = try await Newcomer.invited(
            "Pia", title: "care-partner", in: "edencare", by: desk, of: platform.town)
        try await customer.fill(3_000, in: "edencare")
        let order = try await ordered(customer, at: try Self.noon())
        try await confirm(order, desk, partner)
        await #expect(throws: Refusal.self) { try await partner.phone.act("start", on: order) }
        #expect(try await customer.phone.wallets().first { $0.currency == "CAD" }?.held == 3_000)
    }

    @Test("O7: refused at the desk, and the money is back; the audit log has it")
    func refused() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let customer = try await Newcomer.byLink("Ada", in: "edencare", living: Self.home, of: platform.town)
        try await customer.fill(3_000, in: "edencare")
        let order = try await ordered(customer, at: try Self.noon())
        try await desk.phone.act("refusal", on: order, ["reason": "Nobody is there that day"])
        try await customer.stream.order(order, is: .refused)
        try await eventually("the money is back") {
            let wallet = try await customer.phone.wallets().first { $0.currency == "CAD" }
            return wallet?.balance == 3_000 && wallet?.held == 0
        }
        try await eventually("the audit log has it") {
            let log = try await desk.phone.send(.get("/admin/v1/audit?market=edencare"))
            return String(decoding: log.body, as: UTF8.self).contains("order.refused")
        }
    }
}
