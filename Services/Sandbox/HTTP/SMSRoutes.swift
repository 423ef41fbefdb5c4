import Foundation
import HTTPTypes
import Hummingbird
import Synchronization

/// An SMS provider in the form of Twilio's API at `/sink/twilio`, whose messages come into the sink. `PUT /sink/sms/answers`
/// and `/sink/mail/faults` set what goes wrong.
struct SMSRoutes {
    /// An answer in place of the usual one.
    struct Answer: Codable, Sendable, Equatable {
        let status: Int
        /// Twilio's number of the error.
        var code: Int?
        var retryAfter: Int?
        /// Takes the message nevertheless.
        var keeps: Bool?
        /// Closes the connection without an answer.
        var cuts: Bool?
    }

    final class Answers: Sendable {
        private let answers = Mutex<[String: Answer]>([:])

        /// - Parameters:
        ///   - number: nil for all numbers.
        ///   - answer: nil is the usual one again.
        func set(_ answer: Answer?, to number: String?) { answers.withLock { $0[number ?? "*"] = answer } }

        func answer(to number: String) -> Answer? { answers.withLock { $0[number] ?? $0["*"] } }
    }

    private struct Setting: Decodable {
        let to: String?
        let answer: Answer?
    }
    private struct Faults: Decodable { let faults: [MailFault] }
    private struct Taken: Encodable {
        let sid: String
        let status = "queued"
        let to: String
    }
    private struct Failure: Encodable {
        let code: Int
        let message: String
        let status: Int
    }

    let sink: Sink
    let answers: Answers
    let mailFaults: MailFaults
    let settings: SandboxSettings

    func add(to router: Router<SandboxContext>) {
        router.post("sink/twilio/2010-04-01/Accounts/{account}/{page}") { request, context in
            guard try context.parameters.require("page") == "Messages.json" else { throw HTTPError(.notFound) }
            return try await take(request, context)
        }
        router.put("sink/sms/answers") { request, context in
            let setting: Setting = try await Self.body(request, context)
            answers.set(setting.answer, to: setting.to)
            return Response(status: .noContent)
        }
        router.put("sink/mail/faults") { request, context in
            let setting: Faults = try await Self.body(request, context)
            mailFaults.set(setting.faults)
            return Response(status: .noContent)
        }
    }

    private func take(_ request: Request, _ context: SandboxContext) async throws -> Response {
        let account = try context.parameters.require("account")
        let credentials = Data("\(settings.smsAccount):\(settings.smsToken)".utf8).base64EncodedString()
        guard account == settings.smsAccount, request.headers[.authorization] == "Basic \(credentials)" else {
            return try Self.failure(401, 20003, "Authenticate")
        }
        let text = String(buffer: try await request.body.collect(upTo: context.maxUploadSize))
        let form = try FormParameters(urlEncoded: text)
        guard let to = form["To"], to.wholeMatch(of: /\+[1-9]\d{6,14}/) != nil else {
            return try Self.failure(400, 21211, "Invalid 'To' Phone Number")
        }
        guard (form["From"] ?? form["MessagingServiceSid"]) != nil else {
            return try Self.failure(400, 21603, "A 'From' phone number is required.")
        }
        guard let body = form["Body"], body.count <= 1_600 else {
            return try Self.failure(400, 21602, "Message body is required.")
        }
        let answer = answers.answer(to: to)
        if answer == nil || answer?.keeps == true { sink.add(Sink.Message(to: to, text: body), to: .sms) }
        guard let answer else {
            let sid = "SM" + UUID().uuidString.replacing("-", with: "").lowercased()
            return Response(status: .created, json: try JSONEncoder().encode(Taken(sid: sid, to: to)))
        }
        if answer.cuts == true { try await context.closeConnection() }
        return try Self.failure(answer.status, answer.code, "set by a test", retryAfter: answer.retryAfter)
    }

    private static func failure(
        _ status: Int, _ code: Int?, _ message: String, retryAfter: Int? = nil
    ) throws -> Response {
        let failure = Failure(code: code ?? 0, message: message, status: status)
        var response = Response(status: .init(code: status), json: try JSONEncoder().encode(failure))
        if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        return response
    }

    private static func body<Value: Decodable>(_ request: Request, _ context: SandboxContext) async throws -> Value {
        let body = try await request.body.collect(upTo: context.maxUploadSize)
        do {
            return try JSONDecoder().decode(Value.self, from: Data(body.readableBytesView))
        } catch {
            throw HTTPError(.badRequest, message: "JSON of another form is wanted")
        }
    }
}
