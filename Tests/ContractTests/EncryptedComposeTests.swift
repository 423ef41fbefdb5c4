import Foundation
import Testing
import Yams

/// What deploy/compose.tls.yml, laid over docker-compose.yml, promises.
@Suite("The Compose file with TLS")
struct EncryptedComposeTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let own = ["identity", "dispatch", "wallet", "notifications", "admin"]

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func yaml(_ path: String) throws -> [String: Any] {
        try #require(try Yams.load(yaml: text(path)) as? [String: Any], "\(path)")
    }

    private static func services(_ path: String) throws -> [String: [String: Any]] {
        try #require(try yaml(path)["services"] as? [String: [String: Any]])
    }

    @Test("Q6: services listen by TLS, and whoever dials database or broker checks their names")
    func both() throws {
        let plain = try Self.services("docker-compose.yml")
        let encrypted = try Self.services("deploy/compose.tls.yml")
        func environment(_ name: String) -> [String: String] {
            encrypted[name]?["environment"] as? [String: String] ?? [:]
        }
        for name in Self.own {
            #expect(environment(name)["SERAI_HTTP_CERTIFICATE_FILE"] == "/tls/certificate.pem", "\(name)")
            #expect(environment(name)["SERAI_HTTP_KEY_FILE"] == "/tls/key.pem", "\(name)")
            #expect(environment(name)["SERAI_AMQP_AUTHORITY_FILE"] == "/tls/ca.pem", "\(name)")
        }
        for name in Self.own + Self.own.map({ "migrate-\($0)" }) + ["setup"] {
            #expect(environment(name)["PGSSLMODE"] == "verify-full", "\(name)")
            #expect(environment(name)["PGSSLROOTCERT"] == "/tls/ca.pem", "\(name)")
        }
        // Whoever else is beside database and broker is one that this test knows.
        let beside = plain.filter { service in
            (service.value["networks"] as? [String] ?? []).contains("data")
        }.map(\.key)
        let known = Self.own + Self.own.map { "migrate-\($0)" } + ["setup", "postgres", "rabbitmq", "backup"]
        #expect(Set(beside).subtracting(known) == ["keys", "postgres-exporter"], "keys asks neither")
        #expect(environment("postgres-exporter")["DATA_SOURCE_URI"]?.contains("sslmode=verify-full") == true)
        #expect(environment("backup")["SERAI_BACKUP_BROKER"]?.hasPrefix("https://") == true)
        #expect(environment("caddy")["SERAI_SERVICES_TLS"] == "by-name")
        let hosts = try Self.text("deploy/postgres/pg_hba.conf").split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(hosts.allSatisfy { $0.hasPrefix("local ") || $0.hasPrefix("hostssl ") } && hosts.count == 2)
        let broker = try Self.text("deploy/rabbitmq/tls.conf")
        #expect(broker.contains("listeners.tcp = none"))
        #expect(try Self.text("deploy/rabbitmq/tls-4.conf").contains("prometheus.tcp.listener = none"))
        #expect(broker.matches(of: /versions\.1 = tlsv1\.3/).count == broker.matches(of: /\.certfile =/).count)
    }

    @Test("Q6: each container sees its own key alone, and `make certs` makes one for each that has one")
    func keys() throws {
        let maker = try Self.text("deploy/certificates")
        let made = Set(maker.matches(of: /\[([a-z-]+)\]=(?:\$\{SERAI|10001)/).map { String($0.1) })
        var used: Set<String> = []
        for (name, service) in try Self.services("deploy/compose.tls.yml") {
            let volumes = service["volumes"] as? [Any] ?? []
            // The authority's certificate, which is no secret, is mounted in the long form.
            for place in volumes.compactMap({ $0 as? [String: Any] }) {
                #expect((place["source"] as? String)?.hasSuffix("/tls/ca.pem") == true, "\(name): \(place)")
                #expect(place["read_only"] as? Bool == true)
            }
            for volume in volumes.compactMap({ $0 as? String }) {
                guard let found = volume.firstMatch(of: /\/tls\/([a-z-]+):\/tls:ro$/) else {
                    #expect(!volume.contains("/tls:") && !volume.contains("authority"), "\(name): \(volume)")
                    continue
                }
                #expect(String(found.1) == name, "\(name) has another's key")
                used.insert(name)
            }
        }
        #expect(used == made && used.isSuperset(of: Self.own))
    }

    @Test("Q6: Prometheus reads by TLS what it reads without, and names each service that it dials by address")
    func figures() throws {
        let document = try Self.yaml("deploy/observability/prometheus.tls.yml")
        let jobs = try #require(document["scrape_configs"] as? [[String: Any]])
        // Alertmanager is told alerts by Prometheus, beside it, as plainly as it is read.
        for job in jobs where job["job_name"] as? String != "alertmanager" {
            let trust = try #require(job["tls_config"] as? [String: String])
            #expect(job["scheme"] as? String == "https")
            #expect(trust["ca_file"] == "/tls/ca.pem" && trust["insecure_skip_verify"] == nil)
            #expect(trust["server_name"] == (job["dns_sd_configs"] == nil ? nil : job["job_name"] as? String))
        }
        func lines(_ path: String) throws -> [Substring] {
            try Self.text(path).split(separator: "\n").filter { line in
                !line.hasPrefix("#") && !["    scheme: ", "    tls_config: "].contains { line.hasPrefix($0) }
            }
        }
        let plain = try lines("deploy/observability/prometheus.yml")
        #expect(jobs.count > 5 && plain.count > 20)
        #expect(try lines("deploy/observability/prometheus.tls.yml") == plain)
    }
}
