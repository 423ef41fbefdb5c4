import HummingbirdCore
import Logging
import NIOCore
import NIOSSL

/// Connections that speak TLS. (HummingbirdTLS's are given one certificate for good.)
struct EncryptedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let certificate: ServerCertificate

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            // Before all others, also before what waits for a head: a handshake begins no request, and a proxy may keep
            // a connection that it has not used yet.
            try channel.pipeline.syncOperations.addHandler(
                NIOSSLServerHandler(context: certificate.context), position: .first)
            return value
        }
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
