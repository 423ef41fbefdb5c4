public import AsyncHTTPClient
public import Foundation
import NIOCore
import NIOPosix

/// Resolves a host that somebody has typed, of a webhook or a feed, and decides whether requests may go there.
public struct OutgoingAddress: Sendable {
    /// The host is unknown, or is within our network.
    public struct NotReachable: Error, Equatable {
        public let host: String
    }

    /// Whether private addresses, and `http`, are allowed: for local runs and tests.
    public let allowsPrivate: Bool

    public init(allowsPrivate: Bool) {
        self.allowsPrivate = allowsPrivate
    }

    /// Nil for a text that is no such address: `https`, a host, no user, no fragment. Of most hosts only a lookup tells whether
    /// they are within our network; those that say so themselves are refused here.
    public func url(_ text: String) -> URL? {
        guard text.utf8.count <= 2_000, let url = URL(string: text), let host = url.host, !host.isEmpty,
            url.scheme == "https" || allowsPrivate && url.scheme == "http", url.user == nil, url.password == nil,
            url.fragment == nil, allowsPrivate || !Self.isWithin(host)
        else { return nil }
        return url
    }

    private static func isWithin(_ host: String) -> Bool {
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host.lowercased()
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        // try?: a name is no address.
        switch try? SocketAddress(ipAddress: name, port: 443) {
        case .v4(let found):
            return !PublicAddress.isPublic(v4: withUnsafeBytes(of: found.address.sin_addr) { Array($0) })
        case .v6(let found):
            return !PublicAddress.isPublic(v6: withUnsafeBytes(of: found.address.sin6_addr) { Array($0) })
        default: return false
        }
    }

    /// One address of the host to connect to, and to no other: a second lookup could give another.
    ///
    /// - Throws: ``NotReachable`` if one of its addresses is not of the public Internet.
    public func resolved(_ host: String, port: Int) async throws -> String {
        let name = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        let addresses = try await Self.lookUp(name, port: port)
        guard let first = addresses.first, allowsPrivate || addresses.allSatisfy(\.isPublic),
            let text = first.address.ipAddress
        else { throw NotReachable(host: host) }
        return text
    }

    private static let lookupLimit: TimeAmount = .seconds(3)

    /// Of lookups alone: a name server that does not answer blocks a thread until the system gives up.
    private static let lookups: NIOThreadPool = {
        let threads = NIOThreadPool(numberOfThreads: 16)
        threads.start()
        return threads
    }()

    /// - Throws: ``NotReachable``, also after three seconds: then the thread is left to its lookup.
    private static func lookUp(_ name: String, port: Int) async throws -> [Found] {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let found = loop.makePromise(of: [Found].self)
        // Of a promise the first outcome counts.
        let limit = loop.scheduleTask(in: lookupLimit) { found.fail(NotReachable(host: name)) }
        lookups.submit { state in
            guard state == .active else { return found.fail(NotReachable(host: name)) }
            do {
                found.succeed(try addresses(of: name, port: port))
            } catch {
                found.fail(error)
            }
        }
        defer { limit.cancel() }
        return try await found.futureResult.get()
    }

    /// A client of its own, since it is bound to the address that was checked. It follows no redirects.
    ///
    /// - Throws: ``NotReachable``, and what `body` throws.
    public func withClient<Result: Sendable>(
        for url: URL, _ body: (HTTPClient) async throws -> Result
    ) async throws -> Result {
        guard let host = url.host else { throw NotReachable(host: "") }
        let ip = try await resolved(host, port: url.port ?? (url.scheme == "http" ? 80 : 443))
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.tlsConfiguration = OutgoingTLS.configuration()
        configuration.timeout = .init(connect: .seconds(5), read: .seconds(20))
        configuration.dnsOverride = [host: ip]
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let result = try await body(client)
            // try?: the answer is there; the connection ends with the client.
            try? await client.shutdown()
            return result
        } catch {
            // try?: the failure is what is told.
            try? await client.shutdown()
            throw error
        }
    }

    private struct Found: Sendable {
        let address: SocketAddress
        let isPublic: Bool
    }

    private static func addresses(of host: String, port: Int) throws -> [Found] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let first = list else {
            throw NotReachable(host: host)
        }
        defer { freeaddrinfo(first) }
        return sequence(first: first) { $0.pointee.ai_next }.compactMap { entry -> Found? in
            switch entry.pointee.ai_family {
            case AF_INET:
                entry.pointee.ai_addr.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { pointer in
                    let bytes = withUnsafeBytes(of: pointer.pointee.sin_addr) { Array($0) }
                    return Found(
                        address: SocketAddress(pointer.pointee, host: host), isPublic: PublicAddress.isPublic(v4: bytes)
                    )
                }
            case AF_INET6:
                entry.pointee.ai_addr.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { pointer in
                    let bytes = withUnsafeBytes(of: pointer.pointee.sin6_addr) { Array($0) }
                    return Found(
                        address: SocketAddress(pointer.pointee, host: host), isPublic: PublicAddress.isPublic(v6: bytes)
                    )
                }
            default: nil
            }
        }
    }
}
