import Foundation
import Phones

/// Phones that send the same request twice, with the same Idempotency-Key.
struct Repeating: Sendable {
    let observations: Observations

    /// - Parameter send: gets the key, and returns what tells two answers apart.
    /// - Returns: the first answer.
    func send<Value: Sendable, Mark: Equatable & Sendable>(
        _ repeats: CustomerBehaviour.Repeats, _ what: String, mark: @Sendable (Value) -> Mark,
        _ send: @escaping @Sendable (_ key: String) async throws -> Value
    ) async throws -> Value {
        let key = UUID().uuidString.lowercased()
        switch repeats {
        case .never: return try await send(key)
        case .atOnce:
            async let other = send(key)
            let first = try await send(key)
            compare(mark(first), mark(try await other), what)
            return first
        case .later:
            let first = try await send(key)
            try await Task.sleep(for: .milliseconds(Int.random(in: 50...500)))
            compare(mark(first), mark(try await send(key)), what)
            return first
        }
    }

    private func compare<Mark: Equatable>(_ first: Mark, _ second: Mark, _ what: String) {
        guard first != second else { return }
        observations.update { $0.mismatchedRepeats += 1 }
        observations.surprise("\(what) repeated was answered with \(second), and before with \(first)")
    }
}
