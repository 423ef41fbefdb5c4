import Foundation

/// All of Serai on one machine: which processes there are, at which ports, with which environment and secrets.
///
/// A value, made before anything is started; ``LocalRun`` and the flow tests start what it says.
public struct DeploymentPlan: Sendable, Codable, Equatable {
    public static let services = ["identity", "dispatch", "wallet", "notifications", "admin"]

    public struct Ports: Sendable, Codable, Equatable {
        /// Nil: nothing stands before the services.
        public let caddy: Int?
        public let sandbox: Int
        /// Of the sandbox's mail server.
        public let mail: Int
        /// The ports of each service's processes.
        public let services: [String: [Int]]
        /// Where a relay for calls may be started; without one browsers on one machine reach each other directly.
        public let relay: Int?

        public init(
            caddy: Int?, sandbox: Int, mail: Int, services: [String: [Int]], relay: Int? = nil
        ) {
            (self.caddy, self.sandbox, self.mail) = (caddy, sandbox, mail)
            (self.services, self.relay) = (services, relay)
        }

        /// - Parameter dispatches: how many processes dispatch has.
        public static func chosen(dispatches: Int, hasCaddy: Bool, in project: Project) throws -> Ports {
            let others = services(but: "dispatch")
            var ports = try FreePorts.take(others.count + dispatches + (hasCaddy ? 4 : 3), in: project)
            var services = ["dispatch": Array(ports.prefix(dispatches))]
            ports.removeFirst(dispatches)
            for service in others { services[service] = [ports.removeFirst()] }
            return Ports(
                caddy: hasCaddy ? ports.removeFirst() : nil, sandbox: ports.removeFirst(), mail: ports.removeFirst(),
                services: services, relay: ports.removeFirst())
        }

        private static func services(but other: String) -> [String] { DeploymentPlan.services.filter { $0 != other } }
    }

    public struct Secrets: Sendable, Codable, Equatable {
        /// The key by which each service signs its own texts.
        public let signing: [String: String]
        public let deliveries, sandboxKey, webhooks, nafath, mail, sms: String
        /// The key of Web Push: 32 bytes.
        public let push: String
        /// The secret by which a relay for calls knows whom notifications sends. Nil in a run that an older program began.
        public let relay: String?
        public let adminPassword: String
        /// The secret of the first admin's authenticator app.
        public let adminSecondFactor: String

        public static func generated() -> Secrets {
            Secrets(
                signing: Dictionary(uniqueKeysWithValues: services.map { ($0, Secret.hexadecimal()) }),
                deliveries: Secret.hexadecimal(), sandboxKey: Secret.hexadecimal(), webhooks: Secret.hexadecimal(),
                nafath: Secret.hexadecimal(), mail: Secret.hexadecimal(), sms: Secret.hexadecimal(),
                push: Secret.hexadecimal(bytes: 32), relay: Secret.hexadecimal(),
                // One capital and two digits at least, whatever the random part is.
                adminPassword: "Admin-10-\(Secret.hexadecimal())", adminSecondFactor: Secret.base32())
        }
    }

    public let ports: Ports
    public let secrets: Secrets
    /// Where identity has put its keys, and where Caddy keeps what is its own.
    public let folder: String
    /// Of each service.
    public let databases, brokers: [String: String]
    /// How many cores the processes share.
    public let cores: Int
    /// Variables of every service, which go before those of the plan.
    public var settings: [String: String] = [:]
    /// Nafath, played by the sandbox.
    public var hasNafath = true
    /// Where the web app is that Caddy serves; nil: none.
    public var webFolder: String?
    /// The number of times that each webhook is sent.
    public var webhookCopies = 1
    /// The roles of dispatch's processes, in their sequence; a process without a role does everything.
    public var roles: [String] = []

    public init(
        ports: Ports, secrets: Secrets, folder: String, databases: [String: String], brokers: [String: String],
        cores: Int
    ) {
        (self.ports, self.secrets, self.folder) = (ports, secrets, folder)
        (self.databases, self.brokers, self.cores) = (databases, brokers, cores)
    }

    // MARK: Addresses

    static func url(_ port: Int) -> String { "http://127.0.0.1:\(port)" }

    public var sandboxURL: String { Self.url(ports.sandbox) }

    /// The address for clients; nil without Caddy.
    public var url: String? { ports.caddy.map(Self.url) }

    /// The addresses of each service's processes.
    public var addresses: [String: [String]] { ports.services.mapValues { $0.map(Self.url) } }

    /// Where the sandbox puts the certificate of its mail server.
    var mailCertificate: String { "\(folder)/sandbox-mail.pem" }

    public var keysFolder: String { "\(folder)/keys" }

    // MARK: Environments

    /// The environment of a service's commands and processes.
    public func environment(of service: String) -> [String: String] {
        var environment = [
            "SERAI_DATABASE_URL": databases[service] ?? "",
            "SERAI_AMQP_URL": brokers[service] ?? "",
            "SERAI_HTTP_SIGNING_KEY": secrets.signing[service] ?? "",
            "SERAI_TOKENS_KEYS_FILE": "\(keysFolder)/jwks.json",
            "SERAI_DATABASE_POOL_SIZE": "\(sessions(of: service))",
            "SWIFT_BACKTRACE": "enable=no",
        ]
        environment.merge(outside(of: service)) { $1 }
        return environment.merging(settings) { $1 }
    }

    /// Addresses and keys of the other programs that a service asks.
    private func outside(of service: String) -> [String: String] {
        switch service {
        case "identity": identity
        case "notifications":
            relay.merging([
                "SERAI_DELIVERIES_KEY": secrets.deliveries,
                "SERAI_DELIVERIES_MAIL_URL": "smtp://127.0.0.1:\(ports.mail)",
                "SERAI_DELIVERIES_MAIL_USER": "serai", "SERAI_DELIVERIES_MAIL_PASSWORD": secrets.mail,
                "SERAI_DELIVERIES_MAIL_AUTHORITY_FILE": mailCertificate,
                "SERAI_DELIVERIES_SMS_URL": "\(sandboxURL)/sink/twilio",
                "SERAI_DELIVERIES_SMS_ACCOUNT": "ACsandbox", "SERAI_DELIVERIES_SMS_TOKEN": secrets.sms,
                "SERAI_WEBHOOKS_PRIVATE_ALLOWED": "true",
                // The push services here are the sandbox's.
                "SERAI_PUSH_VAPID_KEY": secrets.push,
            ]) { $1 }
        case "dispatch":
            [
                "SERAI_GEOCODER_URL": "\(sandboxURL)/places", "SERAI_ROUTING_WALKING_URL": "\(sandboxURL)/routing",
            ]
        case "admin": ["SERAI_WEATHER_URL": "\(sandboxURL)/weather", "SERAI_SITE_URL": url ?? sandboxURL]
        case "wallet":
            [
                "SERAI_PAYMENT_PROVIDER_URL": sandboxURL, "SERAI_PAYMENT_APPLE_MERCHANT": "merchant.sandbox",
                "SERAI_PAYMENT_APPLE_DOMAIN": "localhost", "SERAI_PAYMENT_APPLE_GATEWAY": sandboxURL,
                "SERAI_PAYMENT_PROVIDER_KEY": "sk_test_\(secrets.sandboxKey)",
                "SERAI_PAYMENT_WEBHOOK_SECRET": "whsec_\(secrets.webhooks)",
                "SERAI_PAYMENT_RETURN_URL": url.map { "\($0)/payments" } ?? "\(sandboxURL)/health",
            ]
        default: [:]
        }
    }

    private var relay: [String: String] {
        guard let port = ports.relay, let secret = secrets.relay else { return [:] }
        return [
            "SERAI_CALLS_TURN_URLS": "turn:127.0.0.1:\(port)?transport=udp", "SERAI_CALLS_TURN_SECRET": secret,
        ]
    }

    private var identity: [String: String] {
        var environment = [
            "SERAI_IDENTITY_SIGNING_KEY_FILE": "\(keysFolder)/token-signing.json",
            "SERAI_IDENTITY_PERSONAL_KEY_FILE": "\(keysFolder)/personal-data.json",
            "SERAI_DELIVERIES_KEY": secrets.deliveries,
        ]
        if let url { environment["SERAI_IDENTITY_WEB_URL"] = url }
        // The walk and the simulated people register with passwords.
        environment["SERAI_IDENTITY_PASSWORD_MARKETS"] = "assef"
        guard hasNafath else { return environment }
        environment["SERAI_NAFATH_ISSUER"] = "\(sandboxURL)/nafath"
        environment["SERAI_NAFATH_CLIENT_ID"] = "serai"
        environment["SERAI_NAFATH_CLIENT_SECRET"] = secrets.nafath
        environment["SERAI_NAFATH_REDIRECT_URL"] = "\(url ?? sandboxURL)/nafath"
        return environment
    }

    /// How many sessions of the database its requests and messages have at work at once. More than there are cores only take
    /// turns, each with caches of its own. The database's processes cannot be told to be patient, so the wallet, which is, has
    /// the fewest (docs/performance.md).
    func sessions(of service: String) -> Int {
        switch service {
        case "wallet": (cores + 1) / 2
        case "dispatch", "notifications": cores + 1
        default: 2
        }
    }

    /// Makes the first admin of all markets, or another one, by `identity create-admin`.
    public func adminVariables() -> [String: String] {
        [
            "SERAI_ADMIN_PASSWORD": secrets.adminPassword, "SERAI_ADMIN_SECOND_FACTOR": secrets.adminSecondFactor,
        ]
    }

    public static func createAdmin(login: String, mobile: String, name: String) -> [String] {
        ["create-admin", "--email", login, "--mobile", mobile, "--name", name, "--market", "*"]
    }
}
