/// A process of a deployment.
public struct ProcessPlan: Sendable, Codable, Equatable {
    /// `dispatch-1`, `wallet`, …
    public let name: String
    /// Whose it is: a service's, `sandbox`'s or `caddy`'s.
    public let service: String
    public let arguments: [String]
    public let environment: [String: String]
    public let port: Int
    /// It is ready when it answers this with success.
    public let probe: String

    /// Where the cores do not suffice, a request finds its provider first: these take what the others leave
    /// (docs/performance.md).
    public var isPatient: Bool { ["wallet", "identity", "admin", "sandbox"].contains(service) }
}

extension DeploymentPlan {
    /// Each process, in the sequence in which they are started.
    public var processes: [ProcessPlan] {
        let services = Self.services.flatMap { service in
            (ports.services[service] ?? []).indices.compactMap { process(of: service, $0) }
        }
        return services + [sandbox] + (caddy.map { [$0] } ?? [])
    }

    public func process(of service: String, _ index: Int = 0) -> ProcessPlan? {
        if service == "sandbox" { return sandbox }
        guard let ports = ports.services[service], ports.indices.contains(index) else { return nil }
        var environment = environment(of: service)
        environment["SERAI_HTTP_PORT"] = "\(ports[index])"
        if service == "dispatch", roles.indices.contains(index) { environment["SERAI_ROLE"] = roles[index] }
        let name = service == "dispatch" ? "dispatch-\(index + 1)" : service
        return ProcessPlan(
            name: name, service: service, arguments: ["serve"], environment: environment, port: ports[index],
            probe: "/health/ready")
    }

    private var sandbox: ProcessPlan {
        let wallet = Self.url(ports.services["wallet"]?.first ?? 0)
        return ProcessPlan(
            name: "sandbox", service: "sandbox",
            arguments: [
                "--port", "\(ports.sandbox)", "--mail-port", "\(ports.mail)", "--mail-certificate", mailCertificate,
                "--webhook-copies", "\(webhookCopies)", "--webhook-url",
                "\(wallet)/wallet/v1/webhooks/stripe",
            ],
            environment: [
                "SERAI_SANDBOX_API_KEY": "sk_test_\(secrets.sandboxKey)",
                "SERAI_SANDBOX_WEBHOOK_SECRET": "whsec_\(secrets.webhooks)",
                "SERAI_SANDBOX_NAFATH_SECRET": secrets.nafath, "SERAI_SANDBOX_MAIL_PASSWORD": secrets.mail,
                "SERAI_SANDBOX_SMS_TOKEN": secrets.sms, "SWIFT_BACKTRACE": "enable=no",
            ],
            port: ports.sandbox, probe: "/health")
    }

    private var caddy: ProcessPlan? {
        ports.caddy.map { edge(port: $0, folder: "\(folder)/caddy") }
    }

    /// Caddy as `deploy/Caddyfile` has it, before the services.
    /// - Parameter folder: where it keeps what is its own; two may not share one.
    public func edge(port: Int, folder: String) -> ProcessPlan {
        var environment = [
            "SERAI_SITE": Self.url(port), "SERAI_OTHER_SITES": "http://:\(port)",
            "SERAI_LISTEN": "default_bind 127.0.0.1", "SERAI_PROTOCOLS": "h1", "SERAI_TRANSPORT": "open",
            // GOGC as in docker-compose.yml. Half of the cores: where all share one machine, more threads of Caddy only take
            // turns with the services.
            "GOGC": "400", "GOMAXPROCS": "\((cores + 1) / 2)", "XDG_DATA_HOME": folder, "XDG_CONFIG_HOME": folder,
        ]
        if let webFolder {
            environment["SERAI_WEB_ROOT"] = webFolder
            environment["SERAI_ASSETS_ROOT"] = webFolder
            // The sandbox takes card numbers and draws the maps.
            environment["SERAI_WEB_PAYMENTS"] = sandboxURL
            environment["SERAI_WEB_PAYMENTS_HOST"] = sandboxURL
            environment["SERAI_WEB_PAYMENTS_KEY"] = "pk_test_sandbox"
            environment["SERAI_WEB_APPLE_PAY"] = "true"
            environment["SERAI_WEB_TILES"] = "\(sandboxURL)/tiles/{z}/{x}/{y}.svg"
            environment["SERAI_WEB_TILES_HOST"] = sandboxURL
            environment["SERAI_WEB_TILES_ATTRIBUTION"] = "Drawn by the sandbox"
        }
        for (service, ports) in ports.services {
            let upstreams = ports.map { "127.0.0.1:\($0)" }.joined(separator: " ")
            environment["SERAI_\(service.uppercased())_UPSTREAMS"] = "to \(upstreams)"
        }
        return ProcessPlan(
            name: "caddy", service: "caddy",
            arguments: ["run", "--config", "deploy/Caddyfile", "--adapter", "caddyfile"], environment: environment,
            port: port, probe: "/identity/.well-known/jwks.json")
    }
}
