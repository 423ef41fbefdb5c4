import Dispatch
import Foundation
import Glibc

/// A request to a server of this machine, for what has no HTTP client. Answers have a length or end with the connection.
enum LoopbackHTTP {
    struct Failure: Error, CustomStringConvertible { let description: String }

    /// - Parameters:
    ///   - login: `user:password`.
    ///   - headers: besides those that every request has.
    /// - Returns: the answer's body.
    /// - Throws: ``Failure`` without an answer of 2xx within twenty seconds.
    static func send(
        _ method: String, port: Int, path: String, login: String? = nil, headers: [String: String] = [:],
        body: [UInt8]? = nil
    ) async throws -> [UInt8] {
        let text = head(method, port, path, login, headers, body)
        let answer: [UInt8]? = await withCheckedContinuation { continuation in
            // A thread that waits for a socket must not be one that tasks need.
            DispatchQueue.global().async { continuation.resume(returning: exchange(port, text + (body ?? []))) }
        }
        guard let answer, let (status, content) = parse(answer) else {
            throw Failure(description: "\(method) \(path): no answer")
        }
        guard (200..<300).contains(status) else {
            throw Failure(
                description: "\(method) \(path): \(status) \(String(decoding: content.prefix(200), as: UTF8.self))")
        }
        return content
    }

    private static func head(
        _ method: String, _ port: Int, _ path: String, _ login: String?, _ headers: [String: String],
        _ body: [UInt8]?
    ) -> [UInt8] {
        // HTTP/1.0: no answer comes in chunks.
        var lines = ["\(method) \(path) HTTP/1.0", "Host: 127.0.0.1:\(port)", "Connection: close"]
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { lines.append("\(name): \(value)") }
        if let login { lines.append("Authorization: Basic \(Data(login.utf8).base64EncodedString())") }
        if let body { lines += ["Content-Type: application/json", "Content-Length: \(body.count)"] }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static func exchange(_ port: Int, _ request: [UInt8]) -> [UInt8]? {
        LoopbackSocket.with { socket -> [UInt8]? in
            var limit = timeval(tv_sec: 20, tv_usec: 0)
            for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
                setsockopt(socket, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
            }
            guard FreePorts.withAddress(port, { connect(socket, $0, $1) == 0 }) else { return nil }
            var sent = 0
            while sent < request.count {
                let count = request.withUnsafeBytes {
                    Glibc.send(socket, $0.baseAddress! + sent, request.count - sent, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return nil }
                sent += count
            }
            var answer: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(socket, &chunk, chunk.count, 0)
                guard count >= 0 else { return nil }
                guard count > 0 else { return answer }
                answer += chunk[..<count]
                // A server that keeps the connection all the same has said how long the answer is.
                if let (head, content) = split(answer), let length = length(head), content.count >= length {
                    return answer
                }
            }
        } ?? nil
    }

    private static func split(_ answer: [UInt8]) -> (head: String, content: ArraySlice<UInt8>)? {
        let end = Array("\r\n\r\n".utf8)
        guard let start = answer.firstRange(of: end) else { return nil }
        return (String(decoding: answer[..<start.lowerBound], as: UTF8.self), answer[start.upperBound...])
    }

    private static func length(_ head: String) -> Int? {
        let lines = head.lowercased().split(separator: "\r\n")
        return lines.first { $0.hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces)) }
    }

    /// The status and the body of an answer; nil for what is none, or was cut.
    static func parse(_ answer: [UInt8]) -> (status: Int, content: [UInt8])? {
        guard let (head, content) = split(answer), head.hasPrefix("HTTP/1."),
            let status = head.split(separator: " ").dropFirst().first.flatMap({ Int($0.prefix(3)) })
        else { return nil }
        guard let length = length(head) else { return (status, Array(content)) }
        return content.count >= length ? (status, Array(content.prefix(length))) : nil
    }
}
