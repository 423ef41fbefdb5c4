import Foundation
import NIOCore
import NIOPosix
import Locks

/// A TCP proxy on a free loopback port that can stall, delay and cut what goes through it.
///
/// A call that changes the proxy's behaviour holds for every connection, open and future, once it has returned. Bytes
/// are never lost or reordered on a connection that lives. Each direction holds at most about 1 MB; then the sender's
/// socket fills up.
public final class FaultProxy: Sendable {
    /// The loopback port to connect to instead of the server's.
    public let port: Int
    private let listener: any Channel
    private let links: ProxyLinks

    /// Runs the body with a proxy to the server and closes it afterwards, whether the body returns or throws.
    /// - Parameter url: a URL with the server's host and port.
    public static func withFaultProxy<R>(to url: String, _ body: (FaultProxy) async throws -> R) async throws -> R {
        guard let parts = URLComponents(string: url), let host = parts.host, let port = parts.port else {
            throw FaultProxyError(reason: "the server's URL has no host and port")
        }
        let proxy = try await FaultProxy.start(to: host, port: port)
        let result: R
        do {
            result = try await body(proxy)
        } catch {
            await proxy.close()
            throw error
        }
        await proxy.close()
        return result
    }

    /// Opens a proxy; the caller closes it. The server is connected to when a client connects, not before.
    public static func start(to host: String, port: Int) async throws -> FaultProxy {
        let links = ProxyLinks(host: host, port: port)
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { links.accept($0) }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let bound = listener.localAddress?.port else { throw FaultProxyError(reason: "the listener has no port") }
        return FaultProxy(port: bound, listener: listener, links: links)
    }

    private init(port: Int, listener: any Channel, links: ProxyLinks) {
        self.port = port
        self.listener = listener
        self.links = links
    }

    /// The URL with the proxy's port for the server's; the rest, the host too, is kept, so that a certificate still fits.
    public func url(rewriting url: String) -> String {
        guard var parts = URLComponents(string: url) else { return url }
        parts.port = port
        return parts.string ?? url
    }

    /// Forwards nothing any more, neither bytes nor the end of a connection: to each side the other looks like a host
    /// that was unplugged. New connections are accepted and stalled too.
    public func stall() async { await links.change { $0.stalled = true } }

    /// Ends ``stall()``: what has piled up is forwarded first.
    public func resume() async { await links.change { $0.stalled = false } }

    /// Forwards bytes so much later, in each direction; zero ends it.
    public func delay(_ delay: Duration) async { await links.change { $0.delay = TimeAmount(delay) } }

    /// Resets new connections as soon as they are made, or takes them again.
    public func dropNewConnections(_ drop: Bool = true) async { await links.change { $0.dropsNewConnections = drop } }

    /// Resets all open connections (RST) on both sides, now, stalled or not.
    public func cutAll() async { await links.cutAll() }

    /// Takes no connections any more and resets the open ones.
    public func close() async {
        // Closing can only fail if the listener is closed already.
        try? await listener.close().get()
        await links.change { $0.dropsNewConnections = true }
        await links.cutAll()
    }
}

/// The proxy could not be set up.
public struct FaultProxyError: Error, CustomStringConvertible {
    /// What is missing.
    public let reason: String

    public var description: String { reason }
}
