/// What a server's answer says of a mail (RFC 5321, 4.2).
enum MailVerdict {
    /// A 5xx is final where it is about the person or the mail. After other commands it is about the server, our credentials
    /// or our own address: these can be repaired, and no mail may be lost meanwhile.
    ///
    /// - Parameters:
    ///   - answer: the number of the last answer, 0 without one.
    ///   - command: the last one, its first four letters.
    ///   - isBodySent: whether the mail itself was on its way.
    ///   - cause: libcurl's words, in which nothing stands of the mail.
    static func outcome(answer: Int, after command: String, isBodySent: Bool, cause: String) -> MailOutcome {
        let isAboutMail = command == "RCPT" || command == "DATA"
        if isAboutMail, (500...599).contains(answer), !ofSender.contains(answer) { return .refused(code: answer) }
        let stage = isBodySent ? "its body" : command.first?.isLetter == true ? command : "connecting"
        return .later(cause: answer >= 400 ? "\(answer) after \(stage)" : "\(cause) after \(stage)")
    }

    /// Credentials are asked for or refused (RFC 4954), or a command is not known to the server.
    private static let ofSender: Set = [500, 502, 503, 504, 530, 534, 535, 538]
}
