import Glibc

/// Who is at the other end.
enum ClientAddress {
    /// The nearest address that is no trusted proxy. `X-Forwarded-For` is read from its end, because its beginning is
    /// whatever the client wrote.
    static func client(peer: String, forwardedFor: [String], trusted: Set<String>) -> String {
        guard trusted.contains(peer) else { return peer }
        let hops = forwardedFor.joined(separator: ",").split(separator: ",").suffix(20)
            .map { String($0.trimming(while: \.isWhitespace)) }
        for hop in hops.reversed() {
            guard isAddress(hop) else { return peer }
            if !trusted.contains(hop) { return hop }
        }
        return peer
    }

    /// What a rate limit counts by. An IPv6 client has a whole /64, so that is one.
    static func limitKey(_ address: String) -> String {
        guard let bytes = ipv6Bytes(address) else { return address }
        // ::ffff:a.b.c.d is an IPv4 address in other clothes.
        let isMapped = bytes[0..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
        if isMapped { return bytes[12..<16].map(String.init).joined(separator: ".") }
        return bytes[0..<8].map { String($0, radix: 16) }.joined(separator: ":") + "/64"
    }

    static func isAddress(_ text: String) -> Bool {
        var v4 = in_addr()
        return inet_pton(AF_INET, text, &v4) == 1 || ipv6Bytes(text) != nil
    }

    private static func ipv6Bytes(_ text: String) -> [UInt8]? {
        var v6 = in6_addr()
        guard inet_pton(AF_INET6, text, &v6) == 1 else { return nil }
        return withUnsafeBytes(of: v6) { Array($0) }
    }
}
