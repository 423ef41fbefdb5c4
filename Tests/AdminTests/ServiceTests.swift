import Testing

@testable import SeraiAdmin

@Suite struct ServiceTests {
    @Test("the service owns the schema of its name") func name() { #expect(AdminService.name == "admin") }
}
