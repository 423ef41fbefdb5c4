@testable import Postgres
import Testing

@Suite("Circumstances")
struct CircumstanceTests {
    private func error(_ state: String) -> PostgresError {
        PostgresError(.server, "in words", sqlState: SQLState(rawValue: state))
    }

    @Test(
        "Q2: a lock, a limit of time, a server that only reads, that ends or has no room are no fault of what was asked",
        arguments: [
            "55P03", "57014", "25006", "25P03", "53000", "53100", "53200", "53300", "53400", "57P01", "57P02", "57P03",
            "40001", "40P01", "08006", "26000",
        ])
    func circumstances(state: String) {
        #expect(error(state).isCircumstance)
    }

    @Test(
        "what is wrong by itself is a fault",
        arguments: ["23505", "23514", "22P02", "42P01", "42601", "25P02", "0A000"])
    func faults(state: String) {
        #expect(!error(state).isCircumstance)
    }

    @Test("no connection is a circumstance, and a row of another shape is a fault")
    func codes() {
        for code in [PostgresError.Code.connectFailed, .connectionLost, .commitUnknown, .poolTimeout] {
            #expect(PostgresError(code, "in words").isCircumstance)
        }
        for code in [PostgresError.Code.decoding, .declined, .transactionFailed, .configuration, .cancelled] {
            #expect(!PostgresError(code, "in words").isCircumstance)
        }
    }
}
