import Hummingbird
import NIOCore

/// The context of a request whose connection can be closed without an answer.
struct SandboxContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    var maxUploadSize: Int { 65_536 }

    /// Closes the connection, like a network failure at the wrong moment.
    func closeConnection() async throws {
        try await channel.close()
    }
}
