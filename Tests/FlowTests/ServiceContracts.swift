import Foundation
import NIOHTTP1
import Phones
import TestKit
import Testing

/// The OpenAPI documents of the five services: every answer that a flow test gets is held against them.
struct ServiceContracts: Sendable {
    private let contracts: [String: OpenAPIContract]

    /// - Throws: ``DocumentFault`` for a document that says what the check does not know.
    init() throws {
        var contracts: [String: OpenAPIContract] = [:]
        for service in Platform.services {
            contracts[service] = try OpenAPIContract(yaml: try Self.document(of: service))
        }
        self.contracts = contracts
    }

    /// Of the sources that the service was built from, where it is embedded.
    static func document(of service: String) throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "Services/\(service.capitalized)/openapi.yaml")
        return try String(contentsOf: file, encoding: .utf8)
    }

    /// Fails the test that gets an answer, or has a request accepted, of which the document says otherwise.
    static func watch() throws -> @Sendable (AnsweredCall) -> Void {
        let contracts = try known.get()
        return { answered in
            for fault in contracts.faults(in: answered) { Issue.record("\(fault)") }
        }
    }

    /// Read once: they are eight thousand lines.
    private static let known = Result { try ServiceContracts() }

    /// Nothing of what is no service's: the sandbox, the processes' own health.
    func faults(in answered: AnsweredCall) -> [String] {
        let path = answered.call.path.split(separator: "?").first.map(String.init) ?? ""
        let service = path.split(separator: "/").first.map(String.init) ?? ""
        guard let contract = contracts[service] else { return [] }
        return contract.faults(
            in: HTTPExchange(
                answered.call.method.rawValue, path, requestType: answered.call.contentType,
                requestBody: answered.call.body, status: answered.status, answerType: answered.contentType,
                answerBody: answered.body, location: answered.location))
    }
}
