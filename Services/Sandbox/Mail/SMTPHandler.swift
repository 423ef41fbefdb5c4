import NIOCore
import NIOSSL

/// Cuts what comes into lines, gives them to the dialogue and does what it says.
final class SMTPHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    static let limit = 1 << 20

    private var dialogue: SMTPDialogue
    private let faults: MailFaults
    private let tls: NIOSSLContext
    private let keep: @Sendable (_ mail: String, _ recipients: [String]) -> Void
    private var received = ByteBuffer()

    init(
        _ dialogue: SMTPDialogue, tls: NIOSSLContext,
        keep: @escaping @Sendable (_ mail: String, _ recipients: [String]) -> Void
    ) {
        (self.dialogue, faults, self.tls, self.keep) = (dialogue, dialogue.faults, tls, keep)
    }

    func channelActive(context: ChannelHandlerContext) {
        answer("220 sandbox", fault: faults.fault(at: .connect), context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var part = unwrapInboundIn(data)
        received.writeBuffer(&part)
        guard received.readableBytes <= Self.limit else { return context.close(promise: nil) }
        while let end = received.readableBytesView.firstIndex(of: 0x0A) {
            let length = end - received.readerIndex
            guard var line = received.readString(length: length) else { return }
            received.moveReaderIndex(forwardBy: 1)
            // Swift's characters hold a carriage return apart only as a scalar.
            if line.unicodeScalars.last == "\r" { line.unicodeScalars.removeLast() }
            take(line, context)
        }
        received.discardReadBytes()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func take(_ line: String, _ context: ChannelHandlerContext) {
        let step = dialogue.step(of: line)
        let fault = step.flatMap { faults.fault(at: $0, to: recipient(line, at: $0)) }
        if let fault, fault.code != nil || fault.cuts == true {
            if fault.keeps == true, let mail = dialogue.content() { keep(mail, dialogue.recipients) }
            if step == .body { dialogue.dropMail() }
            return answer("250 done", fault: fault, context)
        }
        switch dialogue.take(line) {
        case .wait: break
        case .answer(let text): answer(text, fault: fault, context)
        case .take(let mail, _, let recipients):
            keep(mail, recipients)
            answer("250 taken", fault: fault, context)
        case .beginTLS: beginTLS(context)
        case .close(let text):
            answer(text, fault: nil, context)
            context.close(promise: nil)
        }
    }

    private func recipient(_ line: String, at step: MailFault.Step) -> String? {
        guard step == .rcpt else { return dialogue.recipients.first }
        return line.split(separator: "<").last.map { String($0.prefix { $0 != ">" }) }
    }

    private func beginTLS(_ context: ChannelHandlerContext) {
        write("220 go on", context)
        // What came before the handshake was said by whoever sits between.
        received.clear()
        do {
            try context.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls), position: .first)
            dialogue.isNowSecure()
        } catch {
            context.close(promise: nil)
        }
    }

    private func answer(_ text: String, fault: MailFault?, _ context: ChannelHandlerContext) {
        guard let fault else { return write(text, context) }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.eventLoop.scheduleTask(in: .milliseconds(Int64((fault.delaySeconds ?? 0) * 1_000))) {
            let (handler, context) = bound.value
            guard fault.cuts != true else { return context.close(promise: nil) }
            handler.write(fault.code.map { "\($0) a fault" } ?? text, context)
        }
    }

    private func write(_ text: String, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text + "\r\n")), promise: nil)
    }
}
