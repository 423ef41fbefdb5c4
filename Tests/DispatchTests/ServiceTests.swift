import Testing

@testable import SeraiDispatch

@Suite struct ServiceTests {
    @Test("the service owns the schema of its name") func name() { #expect(DispatchService.name == "dispatch") }
}
