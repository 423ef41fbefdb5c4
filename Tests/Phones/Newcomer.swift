public import Contracts
public import Foundation

/// Somebody in a market that asks for more than a registration: a code, a link, or an invitation. What would come to a
/// real mailbox or phone is read from the sandbox.
public struct Newcomer: Sendable {
    public let phone: Phone
    public let stream: LiveStream
    public let account: UUID
    public let person: Person

    /// Where newcomers live, and where what is sent to them can be read.
    public struct Town: Sendable {
        let network: PhoneNetwork
        let sandboxURL: String

        public init(_ network: PhoneNetwork, sandboxURL: String) {
            self.network = network
            self.sandboxURL = sandboxURL
        }

        var sent: SentMessages { SentMessages(network, sandboxURL: sandboxURL) }
    }

    /// Registers and shows the code of the SMS.
    public static func byCode(
        _ name: String, as role: String, in market: String, of town: Town
    ) async throws -> Newcomer {
        let title = role == "provider" ? Market.named(market)?.titles.first?.id : nil
        let person = Person(name, title: title)
        let phone = Phone(town.network)
        try await phone.register(person, market: market, role: role)
        try await phone.confirmMobile(of: person, readFrom: town.sent)
        return try await signedIn(phone, person)
    }

    /// Registers with an address and opens the link of the mail.
    public static func byLink(
        _ name: String, in market: String, living home: Coordinate, of town: Town
    ) async throws -> Newcomer {
        try await byLink(Person(name), of: town) { phone, person in
            try await phone.register(person, market: market, role: "customer", living: home)
        }
    }

    /// - Parameter register: sends the person's registration, with what the market asks for.
    static func byLink(
        _ person: Person, of town: Town, register: (Phone, Person) async throws -> Void
    ) async throws -> Newcomer {
        let phone = Phone(town.network)
        try await register(phone, person)
        let token = try await town.sent.token(to: person.email, reading: phone)
        try await phone.send(try Call.post("/identity/v1/confirmations", ["token": token]).anonymous())
        return try await signedIn(phone, person)
    }

    /// An admin makes the account, and the person chooses a password.
    public static func invited(
        _ name: String, title: String, in market: String, by desk: AdminDesk, of town: Town
    ) async throws -> Newcomer {
        let person = Person(name)
        let form = [
            "role": "provider", "title": title, "name": name, "email": person.email, "mobile": person.mobile,
            "language": "en",
        ]
        try await desk.phone.send(try .post("/identity/v1/markets/\(market)/people", form))
        let phone = Phone(town.network)
        let token = try await town.sent.token(to: person.email, reading: phone)
        try await phone.send(
            try Call.post("/identity/v1/password-resets/finish", ["token": token, "password": person.password])
                .anonymous())
        return try await signedIn(phone, person)
    }

    private static func signedIn(_ phone: Phone, _ person: Person) async throws -> Newcomer {
        let session = try await phone.signIn(login: person.email, password: person.password)
        let newcomer = Newcomer(phone: phone, stream: LiveStream(phone), account: session.account, person: person)
        try await newcomer.stream.open()
        return newcomer
    }

    // MARK: Money

    /// Puts money from a card into the wallet and waits until it is there.
    public func fill(_ amount: Int, in market: String) async throws {
        let card = try await phone.add(.good, holder: person.name)
        let topUp = try await phone.topUp(amount, market: market, card: card.card)
        try await phone.until("the top-up is done") { try await phone.topUp(topUp.topUp).state == "completed" }
    }

    /// Pays from the wallet as soon as it has heard that it may.
    public func pay(_ order: UUID) async throws {
        try await phone.until("the wallet asks for the payment") {
            do {
                try await phone.pay(order, by: "wallet")
                return true
            } catch let refusal as Refusal where refusal.status == 404 || refusal.status == 409 {
                return false
            }
        }
    }
}
