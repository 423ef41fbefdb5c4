import Testing

@testable import SeraiNotifications

@Suite struct ServiceTests {
    @Test("the service owns the schema of its name") func name() {
        #expect(NotificationsService.name == "notifications")
    }
}
