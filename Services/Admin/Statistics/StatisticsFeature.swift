import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

extension Feature {
    static func statistics(_ routes: AdminRoutes) -> Feature {
        Feature(
            "statistics",
            routes: {
                $0.signedIn.get("markets/{market}/statistics", use: routes.statistics)
                $0.signedIn.get("markets/{market}/statistics.csv", use: routes.statisticsCSV)
            },
            components: routes.replica.map { replica in
                [ServiceComponent("replica", stage: .database, ClosingService { await replica.close() })]
            } ?? []
        )
    }
}
