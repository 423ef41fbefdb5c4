import Glibc
import SeraiJSON

/// The payment provider answers everything with 503.
struct PaymentProviderDown: Fault {
    let ground: ChaosGround

    func begin() async throws { _ = try await ground.sandbox("PUT", "provider", .object(["isDown": true])) }
    func heal() async throws { _ = try await ground.sandbox("PUT", "provider", .object(["isDown": false])) }
}

/// The payment provider, and with it mail and SMS, takes connections and lets everybody wait.
struct PaymentProviderSlow: Fault {
    let ground: ChaosGround

    func begin() async throws { for process in ground.running("sandbox") { process.send(SIGSTOP) } }
    func heal() async throws { for process in ground.running("sandbox") { process.send(SIGCONT) } }
}
