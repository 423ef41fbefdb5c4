import AsyncHTTPClient
import Foundation
import Hummingbird
import LocalPlatform
import NIOCore
import NIOHTTP1
import TestKit
import Testing

@testable import ServiceKit

@Suite("The server's certificate", .timeLimit(.minutes(15)))
struct ServerCertificateTests {
    /// A certificate for `localhost` that is its own authority, and its key.
    private struct Files {
        let certificate: String
        let key: String
    }

    /// Makes a folder, and removes it when the body is over.
    private func withFolder<R>(_ body: (URL) async throws -> R) async throws -> R {
        let folder = FileManager.default.temporaryDirectory.appending(path: "serai-certificate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // try?: a left-over scratch folder in the system's temporary folder harms no test.
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    private func make(_ name: String, in folder: URL) async throws -> Files {
        let files = Files(
            certificate: folder.appending(path: "\(name).pem").path(), key: folder.appending(path: "\(name).key").path()
        )
        try await Command([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
            "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
            "-keyout", files.key, "-out", files.certificate,
        ]).run(within: .seconds(60))
        return files
    }

    private func replace(_ path: String, by other: String) throws {
        try Data(contentsOf: URL(fileURLWithPath: other)).write(to: URL(fileURLWithPath: path), options: .atomic)
    }

    /// What a client is told that trusts one authority alone, on a connection of its own.
    private func ask(_ port: Int, _ path: String = "/hello", authority: String) async throws -> String {
        var configuration = HTTPClient.Configuration()
        configuration.tlsConfiguration = OutgoingTLS.configuration(authorityFile: authority)
        let client = HTTPClient(configuration: configuration)
        let answer = await Result.of {
            let answer = try await client.execute(
                HTTPClientRequest(url: "https://localhost:\(port)\(path)"), timeout: .seconds(20))
            return String(buffer: try await answer.body.collect(upTo: 1_000_000))
        }
        try await client.shutdown()
        return try answer.get()
    }

    private func hello(_ router: Router<SeraiRequestContext>) {
        router.get("/hello") { _, _ in "hello" }
        router.post("/count") { request, context in
            "\(try await request.body.collect(upTo: context.maxUploadSize).readableBytes)"
        }
    }

    @Test("Q6: a server with a certificate answers by TLS 1.3, and neither by TLS 1.2 nor in the open")
    func encrypts() async throws {
        try await withFolder { folder in
            let files = try await make("server", in: folder)
            var settings = HTTPSettings()
            settings.adminPort = 0
            settings.certificate = try ServerCertificate(certificateFile: files.certificate, keyFile: files.key)
            let fixture = try ServerFixture(settings, routes: hello)
            try await fixture.listen { addresses, _ async throws in
                #expect(try await ask(addresses.port, authority: files.certificate) == "hello")
                #expect(try await ask(addresses.adminPort, "/metrics", authority: files.certificate).contains("# TYPE"))
                for port in [addresses.port, addresses.adminPort] {
                    let version = await #expect(throws: CommandFailure.self) {
                        try await Command(["openssl", "s_client", "-tls1_2", "-connect", "127.0.0.1:\(port)"])
                            .run(within: .seconds(60))
                    }
                    #expect(version?.errors.contains("protocol version") == true, "\(String(describing: version))")
                    let socket = try RawSocket(port: port)
                    socket.send("GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                    #expect(try await !socket.read(within: .seconds(20)).contains("HTTP/1.1"))
                    socket.close()
                }
            }
        }
    }

    @Test(
        "Q6: a certificate that is renewed is shown to new connections without a restart; half of one changes nothing")
    func renews() async throws {
        try await withFolder { folder in
            let (files, next) = (try await make("server", in: folder), try await make("next", in: folder))
            let first = folder.appending(path: "first.pem").path()
            try replace(first, by: files.certificate)
            var settings = HTTPSettings()
            let certificate = try ServerCertificate(certificateFile: files.certificate, keyFile: files.key)
            settings.certificate = certificate
            let fixture = try ServerFixture(settings, routes: hello)
            try await fixture.listen { addresses, _ async throws in
                #expect(try !certificate.reload(), "nothing has changed")
                try replace(files.certificate, by: next.certificate)
                #expect(throws: ConfigurationError.self, "the key is still the old one's") { try certificate.reload() }
                #expect(try await ask(addresses.port, authority: first) == "hello")
                try replace(files.key, by: next.key)
                // The server may have been quicker.
                _ = try certificate.reload()
                #expect(try await ask(addresses.port, authority: next.certificate) == "hello")
                let refusal = await #expect(throws: CommandFailure.self, "the old one is shown no more") {
                    try await Command([
                        "openssl", "s_client", "-connect", "127.0.0.1:\(addresses.port)", "-CAfile", first,
                        "-verify_return_error",
                    ]).run(within: .seconds(60))
                }
                #expect(refusal?.errors.contains("verify error") == true, "\(String(describing: refusal))")
            }
        }
    }

    @Test("Q6: a setting without its other half, or files that hold no certificate or another's key, start no server")
    func refusals() async throws {
        try await withFolder { folder in
            let (files, other) = (try await make("server", in: folder), try await make("other", in: folder))
            let empty = folder.appending(path: "empty.pem").path()
            try Data().write(to: URL(fileURLWithPath: empty))
            func problems(_ certificate: String?, _ key: String?) throws -> [ConfigurationError.Problem] {
                var environment = [
                    "SERAI_DATABASE_URL": "postgresql://u@127.0.0.1:1/none",
                    "SERAI_AMQP_URL": "amqp://u:p@127.0.0.1:1/",
                    "SERAI_HTTP_SIGNING_KEY": String(repeating: "k", count: 32),
                ]
                environment["SERAI_HTTP_CERTIFICATE_FILE"] = certificate
                environment["SERAI_HTTP_KEY_FILE"] = key
                let configuration = try ServiceConfiguration(
                    keys: CommonKeys.all, arguments: [], environment: environment)
                do throws(ConfigurationError) {
                    let settings = try HTTPSettings(configuration)
                    #expect((settings.certificate == nil) == (certificate == nil))
                    return []
                } catch { return error.problems }
            }
            #expect(try problems(nil, nil).isEmpty)
            #expect(try problems(files.certificate, files.key).isEmpty)
            #expect(
                try problems(files.certificate, nil) == [
                    .missing(key: "http.key.file", flag: "--http-key-file", environmentVariable: "SERAI_HTTP_KEY_FILE")
                ])
            #expect(
                try problems(nil, files.key) == [
                    .missing(
                        key: "http.certificate.file", flag: "--http-certificate-file",
                        environmentVariable: "SERAI_HTTP_CERTIFICATE_FILE")
                ])
            for (certificate, key, wrong) in [
                ("/nowhere/server.pem", files.key, "/nowhere/server.pem"), (files.certificate, empty, empty),
                (files.certificate, other.key, other.key), (empty, files.key, empty),
            ] {
                let found = try problems(certificate, key)
                guard case .unreadableFile(path: let path, reason: _)? = found.first else {
                    Issue.record("\(certificate) with \(key): \(found)")
                    continue
                }
                #expect(path == wrong)
            }
        }
    }
}

extension Result where Failure == any Error {
    fileprivate static func of(_ body: () async throws -> Success) async -> Self {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
