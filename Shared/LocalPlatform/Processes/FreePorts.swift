import Foundation
import Glibc

/// Loopback ports that nobody listens on and that nobody of this project has just been given.
///
/// They lie below the kernel's ephemeral range, so that no client's outgoing connection takes one while its server is down.
public enum FreePorts {
    static let range = 10_000..<32_000

    /// - Throws: ``PlatformError`` when there are not as many.
    public static func take(_ count: Int, in project: Project = .current) throws -> [Int] {
        let notes = StateFolder("\(project.local)/ports")
        try notes.create()
        forgetOld(notes)
        var ports: [Int] = []
        for _ in 0..<1_000 + 20 * count where ports.count < count {
            let port = Int.random(in: range)
            // Only one of several processes that start at once may have it.
            if isFree(port), mkdir(notes.path("\(port)"), 0o777) == 0 { ports.append(port) }
        }
        guard ports.count == count else {
            throw PlatformError("no port is free, or none can be noted in \(notes.path)")
        }
        return ports
    }

    public static func take(in project: Project = .current) throws -> Int { try take(1, in: project)[0] }

    /// Forgets ports that were chosen minutes ago: they are in use by now, or will not be.
    private static func forgetOld(_ notes: StateFolder) {
        let end = Date(timeIntervalSinceNow: -600).timeIntervalSince1970
        for name in ProcFile.names(in: notes.path) where Int(name) != nil {
            var status = stat()
            if stat(notes.path(name), &status) == 0, Double(status.st_mtim.tv_sec) < end { rmdir(notes.path(name)) }
        }
    }

    static func isFree(_ port: Int) -> Bool {
        LoopbackSocket.with { socket in
            withAddress(port) { bind(socket, $0, $1) == 0 }
        } ?? false
    }

    /// True if a program listens on the port.
    static func answers(_ port: Int) -> Bool {
        LoopbackSocket.with { socket in
            withAddress(port) { connect(socket, $0, $1) == 0 }
        } ?? false
    }

    static func withAddress<R>(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R) -> R {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// A socket for one question.
enum LoopbackSocket {
    static func with<R>(_ body: (Int32) -> R) -> R? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return body(descriptor)
    }
}

/// Whether a server of this machine answers an HTTP request.
public enum HTTPProbe {
    /// Whether `http://127.0.0.1:port/path` is answered with success (2xx) within five seconds.
    /// - Parameter login: `user:password`.
    public static func answers(port: Int, path: String, login: String? = nil) async -> Bool {
        await withCheckedContinuation { continuation in
            // A thread that waits for a socket must not be one that tasks need.
            DispatchQueue.global().async {
                continuation.resume(returning: ask(port, path, login))
            }
        }
    }

    private static func ask(_ port: Int, _ path: String, _ login: String?) -> Bool {
        let known = login.map { "Authorization: Basic \(Data($0.utf8).base64EncodedString())\r\n" } ?? ""
        let request = "GET \(path) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nConnection: close\r\n\(known)\r\n"
        return LoopbackSocket.with { socket in
            var limit = timeval(tv_sec: 5, tv_usec: 0)
            for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                setsockopt(socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
            }
            let bytes = Array(request.utf8)
            guard FreePorts.withAddress(port, { connect(socket, $0, $1) == 0 }),
                send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
            else { return false }
            var answer = [UInt8](repeating: 0, count: 12)
            var count = 0
            while count < answer.count {
                let more = answer.withUnsafeMutableBytes { recv(socket, $0.baseAddress! + count, 12 - count, 0) }
                guard more > 0 else { return false }
                count += more
            }
            // `HTTP/1.1 204`
            return answer.starts(with: Array("HTTP/1.".utf8)) && answer[9] == UInt8(ascii: "2")
        } ?? false
    }
}
