/// Decides which addresses of the network requests to typed hosts may go to. A host is anybody's word, so nothing inside is reached by
/// it: neither this machine nor its neighbours nor the services of the cloud.
public enum PublicAddress {
    /// Whether an IPv4 address, as four bytes, is one of the public Internet.
    public static func isPublic(v4 bytes: [UInt8]) -> Bool {
        guard bytes.count == 4 else { return false }
        return switch (bytes[0], bytes[1], bytes[2]) {
        case (0, _, _), (10, _, _), (127, _, _), (169, 254, _), (192, 168, _), (192, 0, 0), (192, 0, 2), (198, 51, 100),
            (203, 0, 113):
            false
        case (100, 64...127, _), (172, 16...31, _), (198, 18...19, _): false
        case (224..., _, _): false
        default: true
        }
    }

    /// Whether an IPv6 address, as 16 bytes, is one of the public Internet. Addresses that have an IPv4 one in them are not.
    public static func isPublic(v6 bytes: [UInt8]) -> Bool {
        guard bytes.count == 16, bytes[0] & 0xE0 == 0x20 else { return false }
        return switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
        // Teredo, documentation, 6to4.
        case (0x20, 0x01, 0, 0), (0x20, 0x01, 0x0D, 0xB8), (0x20, 0x02, _, _): false
        default: true
        }
    }
}
