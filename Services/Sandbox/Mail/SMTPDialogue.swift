import Foundation

/// The server's side of one SMTP connection (RFC 5321, STARTTLS of RFC 3207, AUTH PLAIN of RFC 4954): lines in, answers out.
/// Strict: no mail without TLS and login, no command out of its turn.
struct SMTPDialogue {
    enum Action: Equatable {
        /// Nothing: more lines are needed.
        case wait
        case answer(String)
        /// Answers, and then speaks TLS.
        case beginTLS
        /// Keeps the mail and answers.
        case take(String, from: String, to: [String])
        case close(String)
    }

    let user: String
    let password: String
    let faults: MailFaults

    private(set) var isSecure = false
    private var isGreeted = false
    private var isLoggedIn = false
    private var asksForCredentials = false
    private var sender: String?
    private(set) var recipients: [String] = []
    /// The lines of a mail that is on its way.
    private var lines: [String]?

    init(user: String, password: String, faults: MailFaults) {
        (self.user, self.password, self.faults) = (user, password, faults)
    }

    /// The step of the protocol that a line belongs to.
    func step(of line: String) -> MailFault.Step? {
        if lines != nil { return line == "." ? .body : nil }
        if asksForCredentials { return .auth }
        return MailFault.Step(rawValue: line.prefix { $0 != " " }.lowercased())
    }

    /// - Parameter line: without its end.
    mutating func take(_ line: String) -> Action {
        if lines != nil { return takeContent(line) }
        if asksForCredentials { return login(line) }
        let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        switch words[0].uppercased() {
        case "EHLO": return greet()
        case "STARTTLS": return beginTLS()
        case "AUTH": return authenticate(words)
        case "MAIL": return begin(line)
        case "RCPT": return add(line)
        case "DATA":
            guard !recipients.isEmpty else { return .answer("503 RCPT comes first") }
            lines = []
            return .answer("354 go on")
        case "RSET":
            forget()
            return .answer("250 done")
        case "NOOP": return .answer("250 done")
        case "QUIT": return .close("221 bye")
        default: return .answer("500 no such command")
        }
    }

    /// The connection is secure from now on; what was said before does not count (RFC 3207, 4.2).
    mutating func isNowSecure() {
        (isSecure, isGreeted) = (true, false)
        forget()
    }

    /// A fault has answered in place of this.
    mutating func dropMail() { forget() }

    /// The mail that a fault keeps although its sender is told nothing.
    func content() -> String? { lines.map { $0.joined(separator: "\r\n") + "\r\n" } }

    private mutating func forget() { (sender, recipients, lines) = (nil, [], nil) }

    private mutating func greet() -> Action {
        isGreeted = true
        forget()
        if isSecure { return .answer("250-sandbox\r\n250-AUTH PLAIN\r\n250 8BITMIME") }
        let hides = faults.fault(at: .starttls)?.hidesTLS == true
        return .answer(hides ? "250 sandbox" : "250-sandbox\r\n250 STARTTLS")
    }

    private func beginTLS() -> Action {
        guard isGreeted, !isSecure else { return .answer("503 not now") }
        return .beginTLS
    }

    private mutating func authenticate(_ words: [String]) -> Action {
        guard isSecure, isGreeted, !isLoggedIn else { return .answer("503 not now") }
        guard words.count >= 2, words[1].uppercased() == "PLAIN" else { return .answer("504 no such way") }
        if words.count == 3 { return login(words[2]) }
        asksForCredentials = true
        return .answer("334 ")
    }

    private mutating func login(_ text: String) -> Action {
        asksForCredentials = false
        let parts = Data(base64Encoded: text)?.split(separator: 0, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let parts, parts.count == 3, parts[1] == user, parts[2] == password else {
            return .answer("535 wrong user or password")
        }
        isLoggedIn = true
        return .answer("235 welcome")
    }

    private mutating func begin(_ line: String) -> Action {
        guard isSecure else { return .answer("530 STARTTLS comes first") }
        guard isLoggedIn else { return .answer("530 AUTH comes first") }
        guard sender == nil, let address = Self.address(line, after: "MAIL FROM:") else {
            return .answer("501 no sender")
        }
        sender = address
        return .answer("250 sender")
    }

    private mutating func add(_ line: String) -> Action {
        guard sender != nil else { return .answer("503 MAIL comes first") }
        guard let address = Self.address(line, after: "RCPT TO:"), address.contains("@") else {
            return .answer("553 no such address")
        }
        recipients.append(address)
        return .answer("250 recipient")
    }

    private mutating func takeContent(_ line: String) -> Action {
        guard line == "." else {
            // A dot at the beginning was doubled on the way.
            lines?.append(line.hasPrefix(".") ? String(line.dropFirst()) : line)
            return .wait
        }
        defer { forget() }
        return .take(content() ?? "", from: sender ?? "", to: recipients)
    }

    private static func address(_ line: String, after command: String) -> String? {
        guard line.uppercased().hasPrefix(command), let start = line.firstIndex(of: "<"),
            let end = line.firstIndex(of: ">"), start < end
        else { return nil }
        return String(line[line.index(after: start)..<end])
    }
}
