import AsyncHTTPClient
import ServiceKit
import TestKit
import Testing

@testable import SeraiIdentity

@Suite("How an issuer is spoken to", .timeLimit(.minutes(15)))
struct OpenIDTLSTests {
    @Test("Q6: an issuer that speaks TLS 1.2 only is not asked; one of TLS 1.3 with the right certificate is")
    func version() async throws {
        for version in [OpenSSLServer.Version.tls12, .tls13] {
            try await OpenSSLServer.withServer(version) { server in
                let client = OpenIDRequests.makeClient(authorityFile: server.authorityPath)
                let requests = OpenIDRequests(client: client, limit: .seconds(10))
                // The page that it answers with is no JSON: whoever sees that has spoken to it.
                let thrown = await #expect(throws: OpenIDRequests.Unanswered.self) {
                    _ = try await requests.get("https://localhost:\(server.port)/")
                }
                if version == .tls13 {
                    #expect(thrown?.description == "status 200")
                } else {
                    #expect(thrown?.description.contains("status") == false)
                }
                try await client.shutdown()
            }
        }
    }
}
