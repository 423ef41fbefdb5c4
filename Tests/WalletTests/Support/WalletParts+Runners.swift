import Messaging

@testable import SeraiWallet
@testable import ServiceKit

extension WalletParts {
    private func runner(_ feature: Feature) -> DeadlineRunner {
        DeadlineRunner(pool: pool, handlers: feature.deadlines, logger: logger)
    }
    var fineRunner: DeadlineRunner { runner(.fines(self)) }
    var debtRunner: DeadlineRunner { runner(.debts(self)) }
    var subscriptionRunner: DeadlineRunner { runner(.subscriptions(self)) }
    var unattendedRunner: DeadlineRunner { runner(.charges(self)) }

    /// The events that the service handles.
    var handlers: MessageHandlers {
        var handlers = MessageHandlers()
        for feature in WalletService.features(self) { feature.handlers(&handlers) }
        return handlers
    }
}
