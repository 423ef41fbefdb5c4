import Foundation
import Phones
import TestKit
import Testing

@testable import SeraiAdmin
@testable import SeraiDispatch
@testable import SeraiIdentity
@testable import SeraiWallet

/// What holds the flow tests' answers against the documents, by itself.
@Suite("The documents of the services")
struct ServiceContractTests {
    private func answered(_ call: Call, _ status: Int, _ body: String) -> AnsweredCall {
        AnsweredCall(call: call, status: status, contentType: "application/json", body: Data(body.utf8))
    }

    @Test("an answer as documented passes, and what is no service's is nobody's to document")
    func described() throws {
        let contracts = try ServiceContracts()
        let unread = Call.get("/notifications/v1/inbox/unread")
        #expect(contracts.faults(in: answered(unread, 200, #"{"count": 3}"#)) == [])
        #expect(contracts.faults(in: answered(.get("/sink/mail?to=a"), 200, "[]")) == [])
    }

    @Test("a field, a path or a status that is not documented fails the test that meets it")
    func undescribed() throws {
        let watch = try ServiceContracts.watch()
        let unread = Call.get("/notifications/v1/inbox/unread")
        withKnownIssue { watch(answered(unread, 200, #"{"count": 3, "more": 1}"#)) }
        withKnownIssue { watch(answered(unread, 404, "{}")) }
        withKnownIssue { watch(answered(.get("/wallet/v1/none?a=b"), 200, "{}")) }
    }

    @Test("P10: every answer that says that something was made promises where it is found, in all five documents")
    func located() throws {
        for service in Platform.services {
            let contract = try OpenAPIContract(yaml: try ServiceContracts.document(of: service))
            #expect(contract.createdWithoutLocation == [], "\(service)")
        }
    }

    @Test("P9: every file of a market, and every list of its people, is among those whose reading is recorded")
    func recorded() throws {
        let tables = [
            "identity": IdentityService.recordedReads, "dispatch": DispatchService.recordedReads,
            "wallet": WalletService.recordedReads,
            "admin": AdminService.recordedReads,
        ]
        for (service, lists) in tables {
            let operations = try OpenAPIDocument(yaml: try ServiceContracts.document(of: service)).operations
            let read = Set(operations.filter { $0.hasPrefix("GET ") }.map { String($0.dropFirst("GET ".count)) })
            #expect(Set(lists.keys).subtracting(read) == [], "\(service) has no such routes")
            // These two are a caller's own.
            let own = ["/statement.csv", "/dispatch/v1/orders.csv"]
            let files = read.filter { file in file.hasSuffix(".csv") && !own.contains { file.hasSuffix($0) } }
            #expect(files.subtracting(lists.keys) == [], "\(service)")
        }
    }
}
