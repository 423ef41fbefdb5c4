import Contracts
import Foundation
import Hummingbird
import Messaging
import Postgres
import ServiceKit

extension Feature {
    static func settings(_ routes: AdminRoutes) -> Feature {
        Feature(
            "settings",
            routes: {
                $0.signedIn.get("markets/{market}/settings", use: routes.settings)
                $0.signedIn.put("markets/{market}/settings/{key}", use: routes.changeSetting)
                $0.signedIn.get("markets/{market}/settings/{key}/history", use: routes.settingHistory)
            }
        )
    }
}
