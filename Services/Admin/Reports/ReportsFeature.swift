import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

extension Feature {
    static func reports(_ routes: AdminRoutes) -> Feature {
        Feature(
            "reports",
            routes: {
                $0.signedIn.get("markets/{market}/reports", use: routes.reports)
                $0.signedIn.get("markets/{market}/waiting", use: routes.waiting)
                $0.signedIn.get("reports/{report}", use: routes.report)
                $0.signedIn.post("reports/{report}/decision", use: routes.decideReport)
                $0.signedIn.post("reports/{report}/answer", use: routes.answerReport)
            },
            handlers: { handlers in
                handlers.on(ReportOpened.self) { received, transaction in
                    RecordReport.opened(received.message, message: received.envelope.id, in: transaction)
                }
            }
        )
    }
}
