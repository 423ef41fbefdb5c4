import Foundation
import Testing
import Yams

/// What docker-compose.yml promises of every container.
@Suite("The Compose file")
struct ComposeTests {
    private let services: [String: [String: Any]]
    private let networks: [String: Any]
    private static let own: Set = ["identity", "dispatch", "wallet", "notifications", "admin"]
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    init() throws {
        let file = Self.root.appending(path: "docker-compose.yml")
        let document = try #require(
            try Yams.load(yaml: String(contentsOf: file, encoding: .utf8)) as? [String: Any])
        services = try #require(document["services"] as? [String: [String: Any]])
        networks = try #require(document["networks"] as? [String: Any])
    }

    private func networks(of service: String) -> Set<String> {
        if let names = services[service]?["networks"] as? [String] { return Set(names) }
        return Set((services[service]?["networks"] as? [String: Any] ?? [:]).keys)
    }

    @Test(
        "Q7: every container has limits of memory and of processes, no capability that it does not name, and no way to more"
    )
    func limits() {
        for (name, service) in services {
            #expect(service["mem_limit"] != nil && service["pids_limit"] is Int, "\(name)")
            #expect(service["cap_drop"] as? [String] == ["ALL"], "\(name)")
            #expect(service["security_opt"] as? [String] == ["no-new-privileges:true"], "\(name)")
            let keepsFiles = ["postgres", "rabbitmq"].contains(name)
            #expect(keepsFiles || service["read_only"] as? Bool == true, "\(name)")
        }
        for name in Self.own { #expect(services[name]?["cap_add"] == nil) }
    }

    @Test(
        "Q7: only Caddy, and the relay for calls, are reached from outside; database and broker by those alone that use them"
    )
    func separated() {
        #expect(services.filter { $0.value["ports"] != nil }.map(\.key).sorted() == ["caddy", "coturn", "grafana"])
        let pages = services["grafana"]?["ports"] as? [String] ?? []
        #expect(!pages.isEmpty && pages.allSatisfy { $0.hasPrefix("127.0.0.1:") }, "from the machine itself alone")
        // Whatever it relays for reaches no other container.
        #expect(networks(of: "coturn") == ["relay"])
        #expect(services.filter { networks(of: $0.key).contains("relay") }.map(\.key) == ["coturn"])
        #expect(networks(of: "caddy") == ["edge", "services"])
        #expect(networks(of: "postgres") == ["data"] && networks(of: "rabbitmq") == ["data", "scrape"])
        for name in Self.own { #expect(networks(of: name).isSuperset(of: ["services", "data"]), "\(name)") }
        #expect(!networks(of: "admin").contains("outside"))
        for name in ["services", "data", "scrape"] {
            #expect((networks[name] as? [String: Any])?["internal"] as? Bool == true, "\(name)")
        }
        #expect((networks["edge"] as? [String: Any])?["enable_ipv6"] as? Bool == true)
    }

    @Test("Q6: the edge speaks TLS 1.3 and nothing older, for every name, unless a deployment has no TLS at all")
    func encrypted() throws {
        let file = try String(contentsOf: Self.root.appending(path: "deploy/Caddyfile"), encoding: .utf8)
        let words = file.split { $0.isWhitespace }.joined(separator: " ")
        // A policy of a site without a name holds for each name that has none of its own; no other site has one.
        #expect(words.contains("(encrypted) { https:// { tls { protocols tls1.3 } import elsewhere } }"))
        #expect(words.contains("import {$SERAI_TRANSPORT:encrypted}"))
        #expect(words.matches(of: /\btls \{/).count == 1 && !words.contains("tls1.2"))
        let caddy = try #require(services["caddy"])
        #expect((caddy["environment"] as? [String: Any])?["SERAI_TRANSPORT"] == nil)
    }

    @Test("Q7: images of others are named by version and digest, or by a variable that can hold one")
    func images() throws {
        for (name, service) in services {
            let image = try #require(service["image"] as? String)
            guard !image.hasPrefix("${SERAI_IMAGES") else { continue }
            #expect(image.contains("@sha256:") || ["postgres", "grafana"].contains(name), "\(name): \(image)")
            #expect(image.hasPrefix("${SERAI_") && !image.contains(":latest"), "\(name): \(image)")
        }
        let recipe = try String(contentsOf: Self.root.appending(path: "deploy/Dockerfile"), encoding: .utf8)
        for line in recipe.split(separator: "\n") where line.hasPrefix("ARG DEBIAN=") || line.hasPrefix("ARG SWIFT=") {
            #expect(line.contains("@sha256:"), "\(line)")
        }
        #expect(recipe.matches(of: /FROM (?!\$\{)/).isEmpty)
    }

    @Test("Q7: what images are built from is pinned, each dependency of the manifest by version and revision")
    func pins() throws {
        let manifest = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
        let wanted = manifest.matches(of: /url: "([^"]+)"/).map { String($0.1).replacing(".git", with: "") }
        let data = try Data(contentsOf: Self.root.appending(path: "deploy/packages.json"))
        let file = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let pins = try #require(file["pins"] as? [[String: Any]])
        let pinned = pins.compactMap { ($0["location"] as? String)?.replacing(".git", with: "") }
        #expect(wanted.count > 5 && Set(wanted).isSubset(of: pinned), "\(Set(wanted).subtracting(pinned))")
        for pin in pins {
            let state = pin["state"] as? [String: String]
            #expect(state?["version"] != nil && state?["revision"]?.count == 40, "\(pin["identity"] ?? "")")
        }
    }
}
