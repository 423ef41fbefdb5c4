public import Contracts
public import Foundation
import NIOHTTP1

/// Riders and drivers in Perth: with all that the market asks for, from the papers to the first position.
public struct RideTown: Sendable {
    public static let perth = Coordinate(latitude: -31.9523, longitude: 115.8613)
    public static let market = "btnc"

    private let town: Newcomer.Town
    let desk: AdminDesk

    public init(town: Newcomer.Town, desk: AdminDesk) {
        self.town = town
        self.desk = desk
    }

    // MARK: People

    struct Registration: Encodable {
        let role, name, email, mobile, password: String
        let title: String?
        let details: [String: Detail]?
        var market = RideTown.market
        var language = "en"
        var terms = Market.btnc.onboarding.terms?.version
        var birthDate = "1990-05-04"
        var billingAddress: [String: String]? = [
            "street": "7 Barrack Street", "city": "Perth", "postcode": "6000", "country": "AU",
        ]

        enum Detail: Encodable {
            case text(String)
            case number(Int)

            func encode(to encoder: any Encoder) throws {
                var container = encoder.singleValueContainer()
                switch self {
                case .text(let text): try container.encode(text)
                case .number(let number): try container.encode(number)
                }
            }
        }
    }

    /// Registers, opens the link of the mail, and fills the wallet.
    public func rider(_ name: String, with amount: Int = 10_000) async throws -> Newcomer {
        let rider = try await riderWithoutCard(name)
        try await rider.fill(amount, in: Self.market)
        try await Self.dispatchKnowsCard(of: rider)
        return rider
    }

    /// Registers and opens the link of the mail.
    public func riderWithoutCard(_ name: String) async throws -> Newcomer { try await register(Person(name)) }

    /// Waits until dispatch has heard of somebody's card, without which nothing is ordered here.
    public static func dispatchKnowsCard(of rider: Newcomer) async throws {
        let to = Coordinate(latitude: perth.latitude + 0.04, longitude: perth.longitude)
        try await rider.phone.until("dispatch knows of the card") {
            let quote: Quote = try await rider.phone.send(
                try .post("/dispatch/v1/quotes", Question(size: "regular", from: perth, to: to))
            ).decode()
            return !quote.needsPaymentMethod
        }
    }

    /// Registers, brings the papers, is verified, and waits for work at a place.
    public func driver(_ name: String, at place: Coordinate, vehicle: String = "regular") async throws -> Newcomer {
        let driver = try await register(
            Person(name, title: "driver"),
            details: [
                "licenceNumber": .text("WA 123456"), "licenceSince": .text("2012-01-01"),
                "vehicleMaker": .text("Toyota"), "vehicleModel": .text("Camry"), "vehicleYear": .number(2022),
                "vehicleColour": .text("white"), "vehiclePlate": .text("1ABC234"), "vehicleClass": .text(vehicle),
            ])
        try await verify(driver, as: "driver")
        try await driver.phone.until("dispatch knows that the driver is verified") {
            do {
                try await driver.phone.setAvailable(true, at: place, in: Self.market)
                return true
            } catch let refusal as Refusal where [403, 404, 409].contains(refusal.status) {
                return false
            }
        }
        try await driver.phone.post(position: place)
        return driver
    }

    /// Brings the papers that the market asks for, and an admin verifies them.
    func verify(_ provider: Newcomer, as title: String) async throws {
        for paper in Market.btnc.onboarding.papers(of: title) where paper.isRequired {
            try await bring(paper.id, provider)
        }
        try await desk.phone.verify(provider.account, as: title, in: Self.market)
    }

    func register(_ person: Person, details: [String: Registration.Detail]? = nil) async throws -> Newcomer {
        let form = Registration(
            role: person.title == nil ? "customer" : "provider", name: person.name, email: person.email,
            mobile: person.mobile, password: person.password, title: person.title, details: details)
        return try await Newcomer.byLink(person, of: town) { phone, _ in
            try await phone.send(try Call.post("/identity/v1/accounts", form).anonymous())
        }
    }

    private struct Papers: Decodable {
        struct Document: Decodable {
            let document: UUID
            let kind: String
        }
        let documents: [Document]
    }

    private func bring(_ paper: String, _ driver: Newcomer) async throws {
        let pdf = Data("%PDF-1.4\n1 0 obj <</Type /Catalog>> endobj\ntrailer <</Root 1 0 R>>\n%%EOF\n".utf8)
        var call = Call.get("/identity/v1/accounts/me/providers/\(Self.market)/documents/\(paper)")
        (call.method, call.body, call.contentType) = (.PUT, pdf, "application/octet-stream")
        let papers: Papers = try await driver.phone.send(call).decode()
        guard let document = papers.documents.first(where: { $0.kind == paper })?.document else { return }
        try await desk.phone.send(
            try .post(
                "/identity/v1/markets/\(Self.market)/providers/\(driver.account.path)/documents/\(document.path)/decision",
                ["decision": "verify", "expiresOn": "2099-12-31"]))
    }

    // MARK: Rides

    public struct Quote: Decodable, Sendable {
        public let quote: UUID
        public let price: Money
        public let metres: Int
        public let seconds: Int
        public let waitSeconds: Int?
        public let needsPaymentMethod: Bool
        /// What a promo code takes off, and what is left.
        public let discount: Money
        public let toPay: Money
        public let promotion: Promotion?

        public struct Promotion: Decodable, Sendable {
            public let code: String
            public let counts: Bool
            public let problem: String?
            public let explanation: String
        }
    }

    /// Why a ride was offered to whom.
    public struct Matching: Decodable, Sendable {
        public struct Offer: Decodable, Sendable {
            public let provider: UUID
            public let outcome: String?
        }

        public struct Round: Decodable, Sendable {
            public let outcome: String
            public let weighedCount: Int
        }

        public let rounds: [Round]
        public let offers: [Offer]
    }

    private struct Question: Encodable {
        var market = RideTown.market
        var kind = "ride"
        let size: String
        let from, to: Coordinate
        var promo: String?
    }

    /// - Parameter promo: a promo code.
    public func quote(
        _ rider: Newcomer, from place: Coordinate = perth, size: String = "regular", promo: String? = nil
    ) async throws -> Quote {
        let to = Coordinate(latitude: place.latitude + 0.04, longitude: place.longitude)
        return try await rider.phone.send(
            try .post("/dispatch/v1/quotes", Question(size: size, from: place, to: to, promo: promo))
        ).decode()
    }

    /// A ride at the price of a quote; it waits for its payment.
    public func ride(_ rider: Newcomer, by quote: Quote) async throws -> OrderView {
        try await rider.phone.send(
            try .post("/dispatch/v1/markets/\(Self.market)/rides", ["quote": quote.quote.path])
        ).decode()
    }

    public func ride(_ rider: Newcomer) async throws -> OrderView { try await ride(rider, by: try await quote(rider)) }

    /// Which of these drivers has the ride on offer, as soon as one has.
    public func asked(for order: UUID, of drivers: [Newcomer]) async throws -> Newcomer {
        var found: Newcomer?
        try await desk.phone.until("somebody is asked", within: .seconds(60)) {
            for driver in drivers {
                let running = try await driver.phone.orders(as: "provider", section: "new").items
                if running.contains(where: { $0.id == order && $0.state == .offered }) { found = driver }
            }
            return found != nil
        }
        guard let found else { throw SentMessages.NothingCame() }
        return found
    }

    public func matching(_ order: UUID) async throws -> Matching {
        try await desk.phone.send(.get("/dispatch/v1/orders/\(order.path)/matching")).decode()
    }
}
