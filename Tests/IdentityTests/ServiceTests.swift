import Testing

@testable import SeraiIdentity

@Suite struct ServiceTests {
    @Test("the service owns the schema of its name") func name() { #expect(IdentityService.name == "identity") }
}
