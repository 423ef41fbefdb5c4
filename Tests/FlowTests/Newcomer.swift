import AsyncHTTPClient
import Contracts
import Foundation
import NIOCore
import NIOFoundationCompat
import Phones
import TestKit

/// Somebody in a market that asks for more than a registration: a code, a link, or an invitation.
struct Newcomer: Sendable {
    let phone: Phone
    let stream: LiveStream
    let account: UUID
    let person: Person

    struct NothingCame: Error {}

    /// Registers and shows the code of the SMS.
    static func byCode(
        _ name: String, as role: String, in market: String, on platform: Platform
    ) async throws -> Newcomer {
        let title = role == "provider" ? Market.named(market)?.titles.first?.id : nil
        let person = Person(name, title: title)
        let phone = Phone(platform.network)
        try await phone.register(person, market: market, role: role)
        let text = try await sent("sms", to: person.mobile, on: platform)
        let code = try text.firstMatch(of: /\b(\d{4,8})\b/).map { String($0.1) } ?? { throw NothingCame() }()
        try await phone.send(
            try Call.post("/identity/v1/confirmations/code", ["login": person.mobile, "code": code]).anonymous())
        return try await signedIn(phone, person)
    }

    /// Registers and opens the link of the mail.
    static func byLink(_ name: String, in market: String, on platform: Platform) async throws -> Newcomer {
        let person = Person(name)
        let phone = Phone(platform.network)
        try await phone.register(person, market: market, role: "customer")
        let token = try token(of: try await sent("mail", to: person.email, on: platform))
        try await phone.send(try Call.post("/identity/v1/confirmations", ["token": token]).anonymous())
        return try await signedIn(phone, person)
    }

    /// An admin makes the account, and the person chooses a password.
    static func invited(
        _ name: String, title: String, in market: String, by desk: AdminDesk, on platform: Platform
    ) async throws -> Newcomer {
        let person = Person(name)
        let form = [
            "role": "provider", "title": title, "name": name, "email": person.email, "mobile": person.mobile,
            "language": "en",
        ]
        try await desk.phone.send(try .post("/identity/v1/markets/\(market)/people", form))
        let token = try token(of: try await sent("mail", to: person.email, on: platform))
        let phone = Phone(platform.network)
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

    private static func token(of text: String) throws -> String {
        guard let match = text.firstMatch(of: /#token=([A-Za-z0-9._~-]+)/) else { throw NothingCame() }
        return String(match.1)
    }

    /// The newest that came to an address.
    private static func sent(_ kind: String, to address: String, on platform: Platform) async throws -> String {
        struct List: Decodable {
            struct Item: Decodable { let text: String }
            let items: [Item]
        }
        let recipient = address.replacing("+", with: "%2B")
        var text: String?
        try await eventually("something comes to \(kind)") {
            let request = HTTPClientRequest(url: "\(platform.sandbox)/sink/\(kind)?to=\(recipient)")
            let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(5))
            let body = Data(buffer: try await answer.body.collect(upTo: 1 << 20))
            text = try JSONDecoder().decode(List.self, from: body).items.last?.text
            return text != nil
        }
        return try text ?? { throw NothingCame() }()
    }

    // MARK: Money

    /// Puts money from a card into the wallet and waits until it is there.
    func fill(_ amount: Int, in market: String) async throws {
        let card = try await phone.add(.good, holder: person.name)
        let topUp = try await phone.topUp(amount, market: market, card: card.card)
        try await phone.until("the top-up is done") { try await phone.topUp(topUp.topUp).state == "completed" }
    }

    /// Pays from the wallet as soon as it has heard that it may.
    func pay(_ order: UUID) async throws {
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
