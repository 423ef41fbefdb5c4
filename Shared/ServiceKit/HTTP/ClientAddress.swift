import Glibc

/// Finds the client's address.
enum ClientAddress {
    /// The nearest address that is not a trusted proxy. `X-Forwarded-For` is read from its end, because the client can
    /// write anything at its beginning.
    ///
    /// - Parameter trusted: in the form of ``canonical(_:)``.
    static func client(peer: String, forwardedFor: [String], trusted: Set<String>) -> String {
        let peer = canonical(peer)
        guard trusted.contains(peer) else { return peer }
        // More than twenty hops have. A longer list costs time, and its beginning is anybody's.
        let end = String(decoding: forwardedFor.joined(separator: ",").utf8.suffix(2_000), as: UTF8.self)
        let hops = end.split(separator: ",").suffix(20)
            .map { String($0.trimming(while: \.isWhitespace)) }
        for hop in hops.reversed() {
            guard let address = Address(withoutPort(hop)) else { return peer }
            if !trusted.contains(address.text) { return address.text }
        }
        return peer
    }

    /// The canonical form of an address: a mapped IPv4 address (`::ffff:192.0.2.1`) becomes an IPv4 address, and IPv6
    /// is written as in RFC 5952. A text that is no address stays.
    static func canonical(_ text: String) -> String { Address(text)?.text ?? text }

    /// The key of a client in limits and logs. An IPv6 client has a whole /64 and may use another address of it each
    /// time.
    static func limitKey(_ address: String) -> String { Address(address)?.prefix ?? address }

    static func isAddress(_ text: String) -> Bool { Address(text) != nil }

    /// Removes the port: `[2001:db8::1]:443` and `192.0.2.1:443`, as some proxies write a hop (RFC 7239, section 6).
    private static func withoutPort(_ hop: String) -> String {
        if hop.hasPrefix("["), let end = hop.firstIndex(of: "]") { return String(hop[..<end].dropFirst()) }
        guard hop.contains("."), hop.utf8.count(where: { $0 == UInt8(ascii: ":") }) == 1 else { return hop }
        return String(hop.prefix { $0 != ":" })
    }

    private struct Address {
        /// 4 or 16 bytes.
        private let bytes: [UInt8]

        init?(_ text: String) {
            var v4 = in_addr()
            if inet_pton(AF_INET, text, &v4) == 1 {
                bytes = withUnsafeBytes(of: v4) { Array($0) }
                return
            }
            var v6 = in6_addr()
            // A link-local address may contain a zone.
            guard inet_pton(AF_INET6, String(text.prefix { $0 != "%" }), &v6) == 1 else { return nil }
            let all = withUnsafeBytes(of: v6) { Array($0) }
            let isMapped = all[0..<10].allSatisfy { $0 == 0 } && all[10] == 0xff && all[11] == 0xff
            bytes = isMapped ? Array(all[12...]) : all
        }

        var text: String { Self.text(bytes) }

        var prefix: String {
            bytes.count == 4 ? text : Self.text(bytes.prefix(8) + [UInt8](repeating: 0, count: 8)) + "/64"
        }

        private static func text(_ bytes: [UInt8]) -> String {
            var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            let family = bytes.count == 4 ? AF_INET : AF_INET6
            guard inet_ntop(family, bytes, &buffer, socklen_t(buffer.count)) != nil else { return "" }
            return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
    }
}
