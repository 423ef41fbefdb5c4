import CArgon2
import Foundation
import Synchronization

/// The hash of a login and nothing else, on as many threads as there are cores.
enum BareArgon2 {
    /// As the service has them; ``LoginBenchmark`` holds them against a hash that the service has made.
    static let memoryKiB: UInt32 = 19_456
    static let passes: UInt32 = 2

    static func perSecond(for limit: Duration) async -> Double {
        let start = ContinuousClock.now
        let total = Atomic(0)
        let threads = (0..<ProcessInfo.processInfo.activeProcessorCount).map { _ in
            Thread {
                var hash = [UInt8](repeating: 0, count: 32)
                let (password, salt) = (Array("Serai-2026-secret".utf8), [UInt8](repeating: 7, count: 16))
                while ContinuousClock.now - start < limit {
                    argon2id_hash_raw(
                        passes, memoryKiB, 1, password, password.count, salt, salt.count, &hash, hash.count)
                    total.wrappingAdd(1, ordering: .relaxed)
                }
            }
        }
        for thread in threads { thread.start() }
        while threads.contains(where: { !$0.isFinished }) {
            // Only cancellation ends it early, and then the figure is of no use to anybody.
            try? await Task.sleep(for: .milliseconds(5))
        }
        return Double(total.load(ordering: .relaxed)) / ((ContinuousClock.now - start) / .seconds(1))
    }
}
