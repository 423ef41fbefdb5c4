import Contracts
import Foundation
import Phones
import SeraiJSON
import TestKit
import Testing

extension ParcelFlowTests {
    private struct Posting: Encodable {
        struct Place: Encodable {
            let latitude: Double
            var longitude = 11.95
        }

        let name: String
        let origin, destination: Place
        let payment, grams: Int
        var fragile = false
        var deposit = 0

        init(
            _ name: String, from origin: Double, to destination: Double, payment: Int, grams: Int,
            fragile: Bool = false, deposit: Int = 0
        ) {
            self.name = name
            self.origin = Place(latitude: origin)
            self.destination = Place(latitude: destination)
            self.payment = payment
            self.grams = grams
            self.fragile = fragile
            self.deposit = deposit
        }
    }

    private struct Posted: Decodable, Sendable {
        struct Parcel: Decodable, Sendable {
            let name: String
            let grams: Int
            let isFragile: Bool
        }
        struct Customer: Decodable, Sendable { let name: String }
        struct Order: Decodable, Sendable {
            let order: UUID
            let customer: Customer
            let label: String
            let total: Money
            let parcel: Parcel
        }
        let order: Order
        let metresAway: Int
    }

    private static func post(_ parcel: Posting, _ owner: Newcomer) async throws -> UUID {
        let order: OrderView = try await owner.phone.send(
            try .post("/dispatch/v1/markets/carrepsa/parcels", parcel)
        ).decode()
        try await owner.pay(order.id)
        try await owner.sees(order.id, .requested)
        return order.id
    }

    /// What an owner has on the board: other tests post near by at the same time.
    private static func search(
        _ carrier: Newcomer, of owner: Newcomer, _ filter: [(String, String?)] = []
    ) async throws -> [Posted] {
        let place: [(String, String?)] = [("latitude", "57.82"), ("longitude", "11.95")]
        return try await carrier.phone.send(.get("/dispatch/v1/markets/carrepsa/board", query: place + filter))
            .decode(Items<Posted>.self).items.filter { $0.order.customer.name == owner.person.name }
    }

    @Test("O11: the board by place, way, weight and fragility, and in every order; what is cancelled is gone from it")
    func filters() async throws {
        let platform = try Platform.ofSuite()
        let owner = try await Newcomer.byCode("Olof Nord", as: "customer", in: "carrepsa", of: platform.town)
        let carrier = try await Newcomer.byCode("Karin", as: "provider", in: "carrepsa", of: platform.town)
        try await owner.fill(30_000, in: "carrepsa")
        for parcel in [
            Posting("lamp", from: 57.82, to: 57.84, payment: 5_000, grams: 900, fragile: true),
            Posting("sofa", from: 57.83, to: 57.70, payment: 20_000, grams: 40_000),
            // Thirteen kilometres away.
            Posting("globe", from: 57.70, to: 57.69, payment: 1_000, grams: 900),
        ] { _ = try await Self.post(parcel, owner) }
        func names(_ filter: (String, String?)...) async throws -> [String] {
            try await Self.search(carrier, of: owner, filter).map(\.order.parcel.name)
        }
        #expect(try await names() == ["sofa", "lamp"])
        let book = try await Self.post(
            Posting("book", from: 57.86, to: 57.85, payment: 2_000, grams: 400), owner)
        // What is new is there with the next look.
        #expect(try await names() == ["book", "sofa", "lamp"])
        #expect(try await names(("sort", "payment")) == ["sofa", "lamp", "book"])
        #expect(try await names(("sort", "way")) == ["book", "lamp", "sofa"])
        #expect(try await names(("sort", "near")) == ["lamp", "sofa", "book"])
        #expect(
            try await names(("sort", "near"), ("fromLatitude", "57.86"), ("fromLongitude", "11.95"))
                == ["book", "sofa", "lamp"])
        #expect(try await names(("radius", "2000")) == ["sofa", "lamp"])
        #expect(try await names(("fragile", "true")) == ["lamp"])
        #expect(try await names(("maximumGrams", "1000")) == ["book", "lamp"])
        #expect(try await names(("maximumMetres", "5000")) == ["book", "lamp"])
        #expect(try await names(("minimumMetres", "5000")) == ["sofa"])
        try await refuses(400) { try await names(("minimumMetres", "2"), ("maximumMetres", "1")) }
        let lamp = try #require(try await Self.search(carrier, of: owner, [("fragile", "true")]).first)
        #expect(lamp.order.label == "Not accepted" && lamp.order.total == Money(amount: 5_000, currency: "SEK"))
        #expect(lamp.order.parcel.grams == 900 && lamp.order.parcel.isFragile && lamp.metresAway < 300)

        #expect(try await owner.phone.act("cancel", on: book).state == .cancelled)
        #expect(try await names() == ["sofa", "lamp"])
        try await refuses(404) { try await take(book, carrier) }
        try await refuses(409, state: "cancelled") { try await owner.phone.act("cancel", on: book) }
        try await eventually("its payment is back") {
            let wallet = try await owner.phone.wallets().first { $0.currency == "SEK" }
            return wallet?.balance == 4_000 && wallet?.held == 26_000
        }
    }

    @Test("O11: its carrier gives a parcel back and has the deposit; another brings it; each finds it on the own list")
    func lists() async throws {
        let platform = try Platform.ofSuite()
        let desk = try await AdminDesk.signIn(platform)
        let owner = try await Newcomer.byCode("Olof Syd", as: "customer", in: "carrepsa", of: platform.town)
        let first = try await Newcomer.byCode("Per", as: "provider", in: "carrepsa", of: platform.town)
        let second = try await Newcomer.byCode("Karin", as: "provider", in: "carrepsa", of: platform.town)
        try await owner.fill(5_000, in: "carrepsa")
        for carrier in [first, second] { try await carrier.fill(9_000, in: "carrepsa") }
        let order = try await Self.post(
            Posting("clock", from: 57.85, to: 57.86, payment: 5_000, grams: 900, deposit: 9_000), owner)
        func isOnBoard() async throws -> Bool {
            try await Self.search(first, of: owner).contains { $0.order.order == order }
        }
        try await take(order, first)
        try await first.hears("dispatch.order.deposited.v1", of: order)
        #expect(try await first.phone.balance(in: "SEK") == 0)
        #expect(try await !isOnBoard())
        try await first.phone.giveUp(order)
        // Who might have it in hand gets nothing back by a word: the owner says so, too.
        try await owner.hears("dispatch.order.arrived.v1", of: order)
        #expect(try await first.phone.balance(in: "SEK") == 0)
        try await owner.phone.giveUp(order)
        try await owner.hears("dispatch.order.reopened.v1", of: order)
        #expect(try await isOnBoard())
        try await first.has(9_000, in: "SEK")

        try await take(order, second)
        try await second.hears("dispatch.order.deposited.v1", of: order)
        let own = try await owner.phone.orders(as: "customer", section: "active").items
        #expect(own.map(\.id) == [order] && own.map(\.label) == ["Accepted"])
        #expect(own.first?.snapshot.provider?.name == "Karin")
        try await owner.phone.act("start", on: order)
        try await owner.phone.act("complete", on: order)
        for person in [owner, second] { try await person.seesPayout(of: order) }
        // The whole payment is the carrier's, for there is no commission; the deposit is back.
        try await second.has(14_000, in: "SEK")
        try await owner.has(0, in: "SEK")
        let sent = try await owner.phone.orders(as: "customer", section: "inactive").items
        #expect(sent.map(\.id) == [order] && sent.map(\.label) == ["Delivered"])
        #expect(try await second.phone.orders(as: "provider", section: "past").items.map(\.id) == [order])
        for section in ["new", "past"] {
            #expect(try await first.phone.orders(as: "provider", section: section).items.isEmpty)
        }
        // Other tests hold money at the moment.
        #expect(try await desk.ledger(of: "SEK")?.sum == 0)
    }
}
