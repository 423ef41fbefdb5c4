import Hummingbird
import NIOCore

/// A request that can be left without an answer.
struct SandboxContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    private let channel: any Channel

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    var maxUploadSize: Int { 65_536 }

    /// As a network does that fails at the wrong moment.
    func closeConnection() async throws {
        try await channel.close()
    }
}
