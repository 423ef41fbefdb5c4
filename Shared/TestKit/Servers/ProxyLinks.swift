import NIOCore
import NIOPosix
import Locks

/// How a proxy treats its connections.
struct ProxyFaults: Sendable {
    var stalled = false
    var delay = TimeAmount.zero
    var dropsNewConnections = false
}

/// The open connections of a ``FaultProxy``: for each client one connection to the server, on the same event loop.
final class ProxyLinks: Sendable {
    private struct State {
        var faults = ProxyFaults()
        /// By the client's channel. A handler is touched on its own event loop only.
        var relays: [ObjectIdentifier: NIOLoopBound<RelayHandler>] = [:]
    }

    private let host: String
    private let port: Int
    private let state = Mutex(State())

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Prepares a client's channel and connects to the server for it. A failed future closes the client's channel.
    func accept(_ client: any Channel) -> EventLoopFuture<Void> {
        let loop = client.eventLoop
        let toServer = RelayHandler()
        let toClient = RelayHandler()
        toServer.pair(with: toClient)
        let id = ObjectIdentifier(client)
        let bound = NIOLoopBound(toServer, eventLoop: loop)
        let faults = state.withLock { state in
            state.relays[id] = bound
            return state.faults
        }
        toServer.faults = faults
        toClient.faults = faults
        client.closeFuture.whenComplete { _ in self.state.withLock { $0.relays[id] = nil } }
        guard !faults.dropsNewConnections else {
            toServer.reset(client)
            return loop.makeFailedFuture(ChannelError.ioOnClosedChannel)
        }
        do {
            try client.pipeline.syncOperations.addHandler(toServer)
        } catch {
            return loop.makeFailedFuture(error)
        }
        return ClientBootstrap(group: loop)
            .channelOption(.autoRead, value: false)
            .channelInitializer { server in
                server.eventLoop.makeCompletedFuture {
                    guard let other = bound.value.other else { throw ChannelError.ioOnClosedChannel }
                    try server.pipeline.syncOperations.addHandler(other)
                }
            }
            .connect(host: host, port: port)
            .map { _ in bound.value.start() }
    }

    /// Changes the faults; when it returns, every connection follows them.
    func change(_ change: (inout ProxyFaults) -> Void) async {
        let (faults, relays) = state.withLock { state in
            change(&state.faults)
            return (state.faults, Array(state.relays.values))
        }
        await onEach(relays) { $0.follow(faults) }
    }

    func cutAll() async {
        await onEach(state.withLock { Array($0.relays.values) }) { $0.resetBoth() }
    }

    private func onEach(
        _ relays: [NIOLoopBound<RelayHandler>], _ body: @escaping @Sendable (RelayHandler) -> Void
    ) async {
        for relay in relays {
            // Fails only if the event loop has shut down, and the connections with it.
            try? await relay.eventLoop.submit { body(relay.value) }.get()
        }
    }
}
