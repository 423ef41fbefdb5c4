import Glibc

/// A TCP connection to this machine on which a test writes what it likes, and no more.
public final class RawSocket: Sendable {
    public struct CannotConnect: Error {}

    private let descriptor: Int32

    public init(port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            Glibc.close(descriptor)
            throw CannotConnect()
        }
    }

    /// Writes all, or as much as the other side takes before it ends the connection.
    public func send(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// What comes until the other side ends the connection, or the wanted text is there.
    ///
    /// - Parameter wanted: nil waits for the end.
    public func read(until wanted: String? = nil, within limit: Duration = .seconds(60)) async throws -> String {
        var text: [UInt8] = []
        let what = wanted.map { "\($0) has come" } ?? "the other side has ended the connection"
        try await eventually(within: limit, what) {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 { text += buffer.prefix(count) }
            let isOver = count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)
            return isOver || wanted.map { String(decoding: text, as: UTF8.self).contains($0) } ?? false
        }
        return String(decoding: text, as: UTF8.self)
    }

    public func close() { Glibc.close(descriptor) }

    /// Ends the connection by a reset, as phones and routers do that break off.
    public func reset() {
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
        Glibc.close(descriptor)
    }
}
