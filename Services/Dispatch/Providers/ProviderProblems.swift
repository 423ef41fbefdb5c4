import HTTPTypes
import SeraiJSON
import ServiceKit

extension Problem {
    /// 409: the token has the provider's role, but its event has not reached dispatch yet.
    static let providerNotKnown = Problem("provider-not-known", status: .conflict, headers: [.retryAfter: "1"])

    /// 422: services that do not exist, that the provider's title does not allow, or that are repeated.
    static func wrongOfferings(_ faults: [(index: Int, fault: OfferingRules.Fault)]) -> Problem {
        .invalidFields(
            faults.map { index, fault in
                FieldProblem(JSONPointer(["offerings", String(index), "service"]), fault.code)
            })
    }

    /// 409: the order's provider cannot be followed yet, or no longer.
    static func notTracked(state: String) -> Problem {
        Problem(
            "order-not-tracked", status: .conflict, arguments: ["state": state], extensions: ["state": .string(state)])
    }
}

extension OfferingRules.Fault {
    /// The error's code in the catalogue.
    var code: String {
        switch self {
        case .unknownService: "offering-unknown"
        case .notForTitle: "offering-not-for-title"
        case .twice: "offering-twice"
        }
    }
}

extension AvailabilityRefusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .notVerified: Problem("availability-not-verified", status: .conflict)
        case .noOfferings: Problem("availability-without-offerings", status: .conflict)
        }
    }
}
