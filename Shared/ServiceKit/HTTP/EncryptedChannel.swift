import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// Connections that speak TLS before all else. (HummingbirdTLS's are given one certificate for good.)
struct EncryptedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let certificate: ServerCertificate

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: certificate.context))
        }.flatMap {
            base.setup(channel: channel, logger: logger)
        }
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
