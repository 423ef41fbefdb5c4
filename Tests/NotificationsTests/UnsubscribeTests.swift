import AsyncHTTPClient
import Contracts
import Foundation
import Messaging
import NIOCore
import NIOHTTP1
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Sandbox
@testable import SeraiNotifications

@Suite("Mails that people switch off", .timeLimit(.minutes(15)))
struct UnsubscribeTests {
    private static let header = "List-Unsubscribe: <http://mail.example/"

    /// What stands in the header of a mail, as the path of a request.
    private func link(_ source: String?) -> String? {
        guard let source, let start = source.range(of: Self.header),
            let end = source[start.upperBound...].firstIndex(of: ">")
        else { return nil }
        return "/" + source[start.upperBound..<end]
    }

    /// Where a browser that opens the link is sent to.
    private func opened(_ url: String) async throws -> String? {
        let client = HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: .init(redirectConfiguration: .disallow))
        let answer = try await client.execute(HTTPClientRequest(url: url), timeout: .seconds(20))
        try await client.shutdown()
        return answer.status == .seeOther ? answer.headers.first(name: "Location") : nil
    }

    @Test("N2: a mail program ends the mails of a kind by the mail's header alone; opening the link ends nothing")
    func oneClick() async throws {
        try await DeliverySandbox.with { sandbox, settings in
            let settings = settings.merging(["SERAI_NOTIFICATIONS_PUBLIC_URL": "http://mail.example"]) { $1 }
            try await World.run { world in
                try await world.withProcess(settings) { process in
                    let (account, address) = (UUID.timeOrdered(), "noura@example.com")
                    func send(_ text: String) async throws {
                        try await world.publish(
                            try DeliveryTests.request(
                                text, of: account, to: address,
                                arguments: ["name": "Noura", "link": "https://x.example/login"]))
                        try await world.settle()
                    }
                    try await send("login-reminder")
                    try await eventually("it has come") { sandbox.messages(.mail, to: address).count == 1 }
                    let path = try #require(link(sandbox.messages(.mail, to: address).first?.source))

                    #expect(try await opened("http://127.0.0.1:\(process.port)\(path)") == "/me/notices")
                    try await send("login-reminder")
                    try await eventually("opening has ended nothing") {
                        sandbox.messages(.mail, to: address).count == 2
                    }

                    for _ in 1...2 {
                        let ended = try await process.request(
                            "POST", path, token: nil, headers: [("Content-Type", "application/x-www-form-urlencoded")])
                        #expect(ended.status == 204)
                    }
                    try await send("login-reminder")
                    // Codes and what was done to the account always come, and do not say how they are switched off.
                    try await send("password-changed")
                    try await eventually("the other has come") { sandbox.messages(.mail, to: address).count == 3 }
                    let last = try #require(sandbox.messages(.mail, to: address).last)
                    #expect(link(last.source) == nil)
                    #expect(last.source?.contains("List-Unsubscribe") == false)
                }
            }
        }
    }

    @Test("N2, Q6: nobody makes the address of another account or kind")
    func forged() async throws {
        let unsubscribing = MailUnsubscribing(
            publicURL: "http://mail.example", secret: Redacted(String(repeating: "d", count: 32)))
        let (one, other) = (UUID.timeOrdered(), UUID.timeOrdered())
        let token = unsubscribing.token(one, .account)
        #expect(unsubscribing.read(token)?.account == one && unsubscribing.read(token)?.kind == .account)
        let signature = token.split(separator: ".")[2]
        let wrong = [
            "\(other.text).account.\(signature)", "\(one.text).orders.\(signature)", "\(one.text).account.", "..", "",
            "\(one.text).account.\(String(signature.reversed()))", "\(token)0", "\(token).\(signature)",
            MailUnsubscribing(publicURL: nil, secret: Redacted(String(repeating: "e", count: 32))).token(one, .account),
        ]
        for token in wrong { #expect(unsubscribing.read(token) == nil, "\(token)") }
        try await World.run { world in
            try await world.withProcess { process in
                for token in wrong where !token.isEmpty && token != ".." {
                    for method in ["GET", "POST"] {
                        let answer = try await process.request(
                            method, "/\(MailUnsubscribing.path(token))", token: nil)
                        #expect(answer.status == 404, "\(method) \(token)")
                    }
                }
            }
        }
    }
}
