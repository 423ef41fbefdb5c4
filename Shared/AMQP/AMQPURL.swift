/// The broker's address and login: `amqp://user:password@host:port/vhost?heartbeat=10`, or `…@a:5672,b:5672,c:5672/…` for the nodes
/// of a cluster, of which any will do.
///
/// Everything is percent-decoded. A missing or empty path means the virtual host `/`. Query: `heartbeat` (seconds, 0
/// switches it off), and for `amqps` `cacertfile`, `certfile`, `keyfile` (PEM paths) and `verify` (`peer` or `none`).
/// An unknown query name is an error, so that a misspelt `verify` is never ignored.
///
/// Its description contains no password.
public struct AMQPURL: Sendable, Hashable {
    /// The TLS settings of `amqps`.
    public struct TLS: Sendable, Hashable {
        /// Trusted authorities; nil for Debian's.
        public var authorityFile: String?
        /// The client's own certificate, if the broker requires one.
        public var certificateFile: String?
        public var keyFile: String?
        /// Whether the broker's certificate and host name are checked.
        public var verifiesPeer = true

        public init(authorityFile: String? = nil) {
            self.authorityFile = authorityFile
        }
    }

    /// A node of the broker.
    public struct Host: Sendable, Hashable, CustomStringConvertible {
        public var name: String
        public var port: Int

        public init(_ name: String, port: Int) {
            self.name = name
            self.port = port
        }

        public var description: String { name.contains(":") ? "[\(name)]:\(port)" : "\(name):\(port)" }
    }

    /// Why a text is no AMQP URL. Contains nothing of the text, which may include a password.
    public struct ParseError: Error, Equatable, CustomStringConvertible {
        public let reason: String

        public var description: String { "malformed AMQP URL: \(reason)" }
    }

    /// The nodes of the broker, one at least.
    public var hosts: [Host]
    public var user: String
    public var password: String
    public var virtualHost: String
    /// In seconds; the connection counts as dead after two intervals without data from the broker. 0 switches
    /// heartbeats off.
    public var heartbeatSeconds = 10
    /// Nil for plain TCP.
    public var tls: TLS?

    public init(_ text: String) throws(ParseError) {
        let rest: Substring
        if text.hasPrefix("amqps://") {
            tls = TLS()
            rest = text.dropFirst(8)
        } else if text.hasPrefix("amqp://") {
            rest = text.dropFirst(7)
        } else {
            throw ParseError(reason: "the scheme is neither amqp nor amqps")
        }
        let (beforeQuery, query) = rest.cut(at: "?")
        let (authority, path) = beforeQuery.cut(at: "/")
        var address = authority
        (user, password) = ("guest", "guest")
        if let at = authority.lastIndex(of: "@") {
            let (name, secret) = authority[..<at].cut(at: ":")
            user = try Self.decoded(name, "user")
            password = try Self.decoded(secret ?? "", "password")
            address = authority[authority.index(after: at)...]
        }
        hosts = []
        for part in address.split(separator: ",", omittingEmptySubsequences: false) {
            hosts.append(try Self.host(part, standardPort: tls == nil ? 5672 : 5671))
        }
        virtualHost = try Self.decoded(path ?? "", "virtual host")
        if virtualHost.isEmpty { virtualHost = "/" }
        for parameter in (query ?? "").split(separator: "&") {
            let (name, value) = parameter.cut(at: "=")
            try apply(name, Self.decoded(value ?? "", "query"))
        }
    }

    private mutating func apply(_ name: Substring, _ value: String) throws(ParseError) {
        switch name {
        case "heartbeat":
            guard let seconds = Int(value), (0...3600).contains(seconds) else {
                throw ParseError(reason: "heartbeat is not a number of seconds from 0 to 3600")
            }
            heartbeatSeconds = seconds
        case "cacertfile": tls?.authorityFile = value
        case "certfile": tls?.certificateFile = value
        case "keyfile": tls?.keyFile = value
        case "verify":
            guard value == "peer" || value == "none" else {
                throw ParseError(reason: "verify is neither peer nor none")
            }
            tls?.verifiesPeer = value == "peer"
        default: throw ParseError(reason: "unknown query parameter \(name)")
        }
        guard tls != nil || name == "heartbeat" else { throw ParseError(reason: "\(name) needs amqps") }
    }

    private static func host(_ address: Substring, standardPort: Int) throws(ParseError) -> Host {
        var (host, port): (Substring, Substring?)
        if address.hasPrefix("[") {
            // An IPv6 address contains colons.
            guard let end = address.firstIndex(of: "]") else { throw ParseError(reason: "[ without ]") }
            host = address[address.index(after: address.startIndex)..<end]
            let after = address[address.index(after: end)...]
            guard after.isEmpty || after.hasPrefix(":") else { throw ParseError(reason: "text between host and port") }
            port = after.isEmpty ? nil : after.dropFirst()
        } else {
            (host, port) = address.cut(at: ":")
        }
        let name = try decoded(host, "host")
        guard !name.isEmpty else { throw ParseError(reason: "no host") }
        guard let port else { return Host(name, port: standardPort) }
        guard let number = Int(port), (1...65535).contains(number) else {
            throw ParseError(reason: "the port is not a number from 1 to 65535")
        }
        return Host(name, port: number)
    }

    private static func decoded(_ text: Substring, _ part: String) throws(ParseError) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
                throw ParseError(reason: "a % without two hexadecimal digits in the \(part)")
            }
            bytes.append(high << 4 | low)
        }
        guard !bytes.contains(0), let decoded = String(validating: bytes, as: UTF8.self) else {
            throw ParseError(reason: "the \(part) is not text in UTF-8")
        }
        return decoded
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
    }
}

extension AMQPURL: CustomStringConvertible {
    /// Scheme, hosts with their ports, and virtual host.
    public var description: String {
        "\(tls == nil ? "amqp" : "amqps")://\(hosts.map(\.description).joined(separator: ","))/\(virtualHost)"
    }
}

extension AMQPURL: CustomDebugStringConvertible, CustomReflectable {
    public var debugDescription: String { description }

    /// Keeps the password out of `dump` and of test failures.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}

extension Substring {
    /// The parts before and after the first `separator`; the second is nil without one.
    fileprivate func cut(at separator: Character) -> (Substring, Substring?) {
        guard let index = firstIndex(of: separator) else { return (self, nil) }
        return (self[..<index], self[self.index(after: index)...])
    }
}
