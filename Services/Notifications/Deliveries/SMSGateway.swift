import AsyncHTTPClient
import Foundation
import Messaging
import NIOCore
import NIOHTTP1
import SeraiJSON
import ServiceKit

/// Sends SMS by Twilio's API, or one of the same form.
struct SMSGateway: DeliveryGateway {
    /// Until the head of the answer, and from there until its last byte.
    static let timeLimit: Duration = .seconds(10)
    private static let answerLimit = 65_536

    let client: HTTPClient
    /// Such as `https://api.twilio.com`.
    let url: String
    let account: String
    let token: Redacted<String>
    /// A number, a name, or the id of a messaging service (`MG…`), which chooses the number.
    let sender: String

    /// In a task of its own: a request that was cut off when the process ends would be made once more.
    func send(_ message: DeliveryMessage, until deadline: ContinuousClock.Instant) async -> DeliveryOutcome {
        await Task { await ask(message) }.value
    }

    private func ask(_ message: DeliveryMessage) async -> DeliveryOutcome {
        var request = HTTPClientRequest(url: "\(url)/2010-04-01/Accounts/\(account)/Messages.json")
        request.method = .POST
        let credentials = Data("\(account):\(token.revealed)".utf8).base64EncodedString()
        request.headers.add(name: "authorization", value: "Basic \(credentials)")
        request.headers.add(name: "content-type", value: "application/x-www-form-urlencoded")
        let by = sender.hasPrefix("MG") ? "MessagingServiceSid" : "From"
        request.body = .bytes(
            ByteBuffer(string: FormText.encoded([("To", message.to), (by, sender), ("Body", message.text)])))
        do {
            let answer = try await client.execute(request, timeout: TimeAmount(Self.timeLimit))
            let retryAfter = answer.headers.first(name: "retry-after")
            if (200..<300).contains(answer.status.code) { return .taken }
            let body = try await answer.wholeBody(
                until: .now + Self.timeLimit, upTo: Self.answerLimit)
            return SMSVerdict.outcome(
                status: answer.status.code, code: Self.code(in: Array(body.readableBytesView)), retryAfter: retryAfter)
        } catch {
            return .later(cause: "no answer")
        }
    }

    private struct Failure: Decodable { let code: Int? }

    private static func code(in body: [UInt8]) -> Int? {
        // try?: an answer of another form has no code, and its status counts.
        (try? JSON.wire.decode(Failure.self, body))?.code
    }
}

/// The text of a form (`application/x-www-form-urlencoded`).
enum FormText {
    static func encoded(_ fields: [(name: String, value: String)]) -> String {
        fields.map { "\(encoded($0.name))=\(encoded($0.value))" }.joined(separator: "&")
    }

    private static func encoded(_ text: String) -> String {
        // Nil only for text that is no Unicode, which a String cannot hold.
        text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
    }

    private static let allowed = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
}
