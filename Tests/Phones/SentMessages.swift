import AsyncHTTPClient
import Contracts
import Foundation
import NIOCore
import NIOFoundationCompat

/// The mails and SMS that would come to real mailboxes and phones, read from the sandbox.
struct SentMessages: Sendable {
    let network: PhoneNetwork
    let sandboxURL: String

    enum Kind: String, Sendable { case mail, sms }

    private struct List: Decodable {
        struct Item: Decodable { let text: String }
        let items: [Item]
    }

    /// Nothing came in time.
    struct NothingCame: Error {}
    /// The network knows of no sandbox, so nobody can read what was sent.
    struct NoSandbox: Error {}

    init(_ network: PhoneNetwork, sandboxURL: String) {
        self.network = network
        self.sandboxURL = sandboxURL
    }

    /// - Throws: ``NoSandbox``.
    init(_ network: PhoneNetwork) throws {
        guard let url = network.sandboxURL else { throw NoSandbox() }
        self.init(network, sandboxURL: url)
    }

    /// The newest message to an address that has the part: other news may come before it and after it.
    func newest<Part>(
        _ kind: Kind, to address: String, reading phone: Phone, _ part: (String) -> Part?
    ) async throws -> Part {
        let recipient = address.replacing("+", with: "%2B")
        var found: Part?
        try await phone.until("something comes by \(kind)", within: .seconds(60)) {
            let request = HTTPClientRequest(url: "\(sandboxURL)/sink/\(kind.rawValue)?to=\(recipient)")
            let answer = try await network.client.execute(request, timeout: .seconds(20))
            let body = Data(buffer: try await answer.body.collect(upTo: 1 << 20))
            found = try JSONDecoder().decode(List.self, from: body).items.compactMap { part($0.text) }.last
            return found != nil
        }
        guard let found else { throw NothingCame() }
        return found
    }

    /// The code of the newest SMS.
    func code(to mobile: String, reading phone: Phone) async throws -> String {
        try await newest(.sms, to: mobile, reading: phone) {
            $0.firstMatch(of: /\b(\d{4,8})\b/).map { String($0.1) }
        }
    }

    /// The token in the link of the newest mail.
    func token(to email: String, reading phone: Phone) async throws -> String {
        try await newest(.mail, to: email, reading: phone) {
            $0.firstMatch(of: /#token=([A-Za-z0-9._~-]+)/).map { String($0.1) }
        }
    }
}

extension Phone {
    /// Registers with a password, confirms the number where the market confirms people by SMS, and signs in.
    func join(_ person: Person, in market: String, as role: String) async throws -> SessionView {
        try await register(person, market: market, role: role)
        if Market.named(market)?.confirmation == .sms {
            try await confirmMobile(of: person, readFrom: try SentMessages(network))
        }
        return try await signIn(login: person.email, password: person.password)
    }

    /// Shows the code of the SMS.
    func confirmMobile(of person: Person, readFrom sent: SentMessages) async throws {
        let code = try await sent.code(to: person.mobile, reading: self)
        try await send(
            try Call.post("/identity/v1/confirmations/code", ["login": person.mobile, "code": code]).anonymous())
    }
}
