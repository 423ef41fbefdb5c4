import Contracts
import Foundation
import Messaging
import Postgres

/// Handlers of the admin service's events about reports.
enum ReportHandlers {
    static func add(
        to handlers: inout MessageHandlers, _ decide: DecideOrder, clock: @escaping @Sendable () -> Date
    ) {
        handlers.on(ReportDecided.self) { received, transaction in
            try await decide(received.message, at: clock(), in: transaction)
        }
        handlers.on(ReportAnswered.self) { received, transaction in
            let answered = received.message
            transaction.send(StoreAnswer(report: answered.report, answer: answered.answer, at: answered.at))
        }
    }
}
