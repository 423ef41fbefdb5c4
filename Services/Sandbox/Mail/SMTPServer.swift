import Foundation
import Logging
import NIOCore
import NIOPosix
import NIOSSL
import ServiceLifecycle

/// A mail server that delivers to the sink.
struct SMTPServer: Service {
    let settings: SandboxSettings
    let certificate: SandboxCertificate
    let faults: MailFaults
    let sink: Sink
    let onListening: @Sendable (_ port: Int) -> Void
    let logger: Logger

    func run() async throws {
        let (settings, faults, sink, logger) = (settings, faults, sink, logger)
        let tls = try certificate.serverContext()
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let dialogue = SMTPDialogue(
                        user: settings.mailUser, password: settings.mailPassword, faults: faults)
                    let handler = SMTPHandler(dialogue, tls: tls) { source, recipients in
                        Self.keep(source, recipients, in: sink, logger)
                    }
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .bind(host: settings.host, port: settings.mailPort).get()
        if let port = server.localAddress?.port {
            logger.notice("mails are taken", metadata: ["port": "\(port)"])
            onListening(port)
        }
        await withGracefulShutdownHandler {
            // The channel's end is all that is waited for; how it ends does not matter any more.
            try? await server.closeFuture.get()
        } onGracefulShutdown: {
            server.close(promise: nil)
        }
    }

    /// What cannot be read is kept with its source alone, so that whoever looks for it sees it.
    private static func keep(_ source: String, _ recipients: [String], in sink: Sink, _ logger: Logger) {
        let mail = ReceivedMail(source)
        if mail == nil { logger.error("a mail is not well-formed") }
        for recipient in recipients {
            sink.add(
                Sink.Message(to: recipient, subject: mail?.subject, text: mail?.text ?? "", source: source), to: .mail)
        }
    }
}
