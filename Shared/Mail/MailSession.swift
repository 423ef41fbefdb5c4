internal import CCurl
internal import Foundation
internal import PollThread

/// One connection to a mail server, by libcurl, which is kept for the next mail. Its calls block, so each session has a
/// thread of its own, on which nothing else may run.
actor MailSession {
    static let connectSeconds = 5
    /// The longest that one mail may take, connecting included.
    static let longestSeconds = 20
    /// Servers close an idle connection after some minutes.
    private static let idleSeconds = 60

    private nonisolated let thread: PollThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    private let server: MailServer
    private var handle: Handle?

    init(_ server: MailServer, name: String) {
        self.server = server
        thread = PollThread(name: name)
    }

    /// - Parameter deadline: a mail whose turn comes later is not begun.
    func send(_ mail: Mail, until deadline: ContinuousClock.Instant, _ stop: MailStop) -> MailOutcome {
        guard !stop.isAsked else { return .later(cause: "it was stopped") }
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .seconds(1) else { return .later(cause: "its turn did not come") }
        guard let handle = handle ?? Handle() else { return .later(cause: "no handle") }
        self.handle = handle
        let seconds = min(Int(left.components.seconds), Self.longestSeconds)
        prepare(handle.raw, mail, seconds: seconds)
        let recipients = curl_slist_append(nil, "<\(mail.to.address)>")
        defer { curl_slist_free_all(recipients) }
        _ = serai_curl_list(handle.raw, CURLOPT_MAIL_RCPT, recipients)
        // libcurl must not keep the list, which is freed here.
        defer { _ = serai_curl_list(handle.raw, CURLOPT_MAIL_RCPT, nil) }
        return perform(handle.raw, MailBody.bytes(mail), stop)
    }

    /// Ends the connection.
    func close() { handle = nil }

    nonisolated func stop() { thread.stop() }

    private func prepare(_ handle: UnsafeMutableRawPointer, _ mail: Mail, seconds: Int) {
        func set(_ option: CURLoption, _ value: String?) { _ = serai_curl_text(handle, option, value) }
        func set(_ option: CURLoption, _ value: Int) { _ = serai_curl_number(handle, option, value) }
        set(CURLOPT_URL, server.url)
        set(CURLOPT_PROTOCOLS_STR, "smtp,smtps")
        set(CURLOPT_USE_SSL, Int(CURLUSESSL_ALL.rawValue))
        // Of all clients in a service (Q6).
        set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_3))
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        if let file = server.authorityFile {
            set(CURLOPT_CAINFO, file)
            set(CURLOPT_CAPATH, nil)
        }
        if let user = server.user {
            set(CURLOPT_USERNAME, user)
            set(CURLOPT_PASSWORD, server.password ?? "")
        }
        set(CURLOPT_MAIL_FROM, "<\(mail.from.address)>")
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_NOPROXY, "*")
        set(CURLOPT_CONNECTTIMEOUT, min(Self.connectSeconds, seconds))
        set(CURLOPT_TIMEOUT, seconds)
        set(CURLOPT_MAXAGE_CONN, Self.idleSeconds)
    }

    private func perform(_ handle: UnsafeMutableRawPointer, _ bytes: [UInt8], _ stop: MailStop) -> MailOutcome {
        bytes.withUnsafeBytes { bytes in
            var sent = serai_mail()
            sent.of = UnsafeRawPointer(Unmanaged.passUnretained(stop).toOpaque())
            sent.is_stopped = { stop in
                stop.map { Unmanaged<MailStop>.fromOpaque($0).takeUnretainedValue().isAsked } == true ? 1 : 0
            }
            sent.bytes = bytes.bindMemory(to: CChar.self).baseAddress
            sent.length = bytes.count
            let result = serai_curl_send(handle, &sent)
            if result == CURLE_OK { return .taken }
            let command = withUnsafeBytes(of: sent.command) { String(decoding: $0.prefix(4), as: UTF8.self) }
            return MailVerdict.outcome(
                answer: serai_curl_answer(handle), after: command, isBodySent: sent.taken > 0,
                cause: String(cString: curl_easy_strerror(result)))
        }
    }

    /// Closes what libcurl holds when nobody holds it any more.
    private final class Handle {
        private static let isReady = serai_curl_start() == CURLE_OK

        let raw: UnsafeMutableRawPointer

        init?() {
            guard Self.isReady, let raw = curl_easy_init() else { return nil }
            self.raw = raw
        }

        deinit { curl_easy_cleanup(raw) }
    }
}
