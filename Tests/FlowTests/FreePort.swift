import Glibc
import Synchronization

/// Ports that nothing listens on.
///
/// They lie below those that the system gives to outgoing connections, of which any could take one between here and the
/// process that is to listen on it, and below those that `scripts/common.sh` chooses.
enum FreePort {
    struct None: Error {}

    private static let range = 10_000..<15_000
    /// Each is given away once before any is again.
    private static let next = Atomic(Int.random(in: 0..<range.count))

    static func take() throws -> Int {
        for _ in range {
            let turn = next.wrappingAdd(1, ordering: .relaxed).oldValue
            let port = range.lowerBound + turn % range.count
            if try isFree(port) { return port }
        }
        throw None()
    }

    private static func isFree(_ port: Int) throws -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw None() }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
