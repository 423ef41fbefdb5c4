import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import TestKit
import Testing

@testable import ServiceKit

@Suite("Hostile input")
struct FuzzTests {
    @Test("no body and no header makes a 500", .timeLimit(.minutes(15)))
    func requests() async throws {
        let tokens = try await TokenFixture()
        let token = try await tokens.currentToken()
        var settings = HTTPSettings()
        settings.callerRate = RateLimit(perSecond: 1e6, burst: 1_000_000)
        settings.addressRate = settings.callerRate
        let fixture = try ServerFixture(settings, verifier: tokens.verifier) { router in
            HTTPTests.routes(router)
            AuthenticationTests.routes(router)
        }
        try await fixture.test { client async throws in
            var generator = SeededGenerator()
            for _ in 0..<1_000 {
                let body = Self.body(&generator)
                let headers = Self.headers(&generator, token: token)
                let uri = ["/form", "/decode", "/upload", "/mine/form"].randomElement(using: &generator) ?? "/form"
                let answer = try await client.execute(
                    uri: uri, method: .post, headers: headers, body: ByteBuffer(bytes: body)
                ) { $0 }
                guard answer.status.code < 500 else {
                    Issue.record("\(generator): \(answer.status) for \(uri) \(String(decoding: body, as: UTF8.self))")
                    return
                }
                if answer.status.code >= 400 {
                    #expect(throws: Never.self, "\(generator)") { try ProblemAnswer(answer) }
                    #expect(!answer.text.contains("Swift") && !answer.text.contains("Codable"), "\(generator)")
                }
            }
        }
    }

    /// Bytes, then JSON that is nearly right, then right JSON with something broken.
    private static func body(_ generator: inout SeededGenerator) -> [UInt8] {
        switch Int.random(in: 0...3, using: &generator) {
        case 0: return generator.bytes(0...200)
        case 1: return Array(generator.text(0...120, from: #"{}[]:,"\0123456789.eE+-truefalsn null ü"#).utf8)
        case 2: return Array(json(&generator, depth: 3).utf8)
        default:
            var bytes = Array(#"{"name": "n", "email": "a@b.co", "count": 1}"#.utf8)
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            return bytes
        }
    }

    private static func json(_ generator: inout SeededGenerator, depth: Int) -> String {
        switch Int.random(in: 0...(depth > 0 ? 7 : 5), using: &generator) {
        case 0: return "null"
        case 1: return "true"
        case 2: return String(Int.random(in: .min ... .max, using: &generator))
        case 3: return "1e\(Int.random(in: -400...400, using: &generator))"
        case 4: return #""\u0000""#
        case 5: return "\"\(generator.text(0...20, from: "a@b.co+123 üع\u{200f}"))\""
        case 6:
            var elements: [String] = []
            for _ in 0..<3 { elements.append(json(&generator, depth: depth - 1)) }
            return "[" + elements.joined(separator: ",") + "]"
        default:
            var members: [String] = []
            for name in ["name", "email", "count", "x"] {
                members.append("\"" + name + "\": " + json(&generator, depth: depth - 1))
            }
            return "{" + members.joined(separator: ",") + "}"
        }
    }

    private static func headers(_ generator: inout SeededGenerator, token: String) -> HTTPFields {
        var headers = HTTPFields()
        let names: [HTTPField.Name] =
            [
                .requestID, .acceptLanguage, .forwardedFor, .idempotencyKey, .authorization,
            ] + ["traceparent", "tracestate"].compactMap { HTTPField.Name($0) }
        for name in names where Bool.random(using: &generator) {
            var value = generator.text(0...80, from: "aZ09-_.,;=q*/ \"\\ü{}")
            if name == .authorization { value = "Bearer " + (Bool.random(using: &generator) ? token : value) }
            headers.append(HTTPField(name: name, value: value))
        }
        headers[.contentType] =
            Bool.random(using: &generator) ? "application/json" : generator.text(0...20, from: "a/+;json ")
        return headers
    }

    @Test("no array of 10 000 levels brings the service down")
    func deep() async throws {
        let text = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        try await ServerFixture(routes: HTTPTests.routes).test { client async throws in
            try await client.execute(
                uri: "/form", method: .post, headers: [.contentType: "application/json"], body: ByteBuffer(string: text)
            ) {
                let problem = try ProblemAnswer($0)
                #expect(problem.status < 500)
            }
        }
    }
}
