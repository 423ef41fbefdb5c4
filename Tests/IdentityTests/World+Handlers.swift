import Messaging

@testable import SeraiIdentity
@testable import ServiceKit

extension World {
    /// The events that the service handles.
    var handlers: MessageHandlers {
        get throws {
            var handlers = MessageHandlers()
            for feature in try IdentityService.features(parts) { feature.handlers(&handlers) }
            return handlers
        }
    }
}
