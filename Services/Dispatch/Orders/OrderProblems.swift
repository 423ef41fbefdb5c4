import HTTPTypes
import SeraiJSON
import ServiceKit

extension OrderNotFound: ProblemConvertible {
    var problem: Problem { .notFound }
}

extension OrderRefusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .wrongState(let state): Self.conflict("order-state", state)
        case .tooLate(let state): Self.conflict("order-window-over", state)
        case .providerBusy(let state): Self.conflict("provider-busy", state)
        case .tooEarly(let until):
            Problem(
                "too-early", status: .conflict, arguments: ["time": Timestamp.text(until)],
                extensions: ["from": .string(Timestamp.text(until))])
        case .wrongActor: .forbidden
        // Only messages can be outdated, and their handlers drop the error before.
        case .outdated: .internalError
        }
    }

    private static func conflict(_ slug: String, _ state: OrderState) -> Problem {
        Problem(
            slug, status: .conflict, arguments: ["state": state.rawValue],
            extensions: ["state": .string(state.rawValue)])
    }
}

extension CancelOrder.OtherCurrency: ProblemConvertible {
    var problem: Problem {
        .invalidFields([
            FieldProblem(JSONPointer(["acceptedFine", "currency"]), "other-currency", ["currency": currency])
        ])
    }
}

extension PostParcel.OtherCurrency: ProblemConvertible {
    var problem: Problem {
        .invalidFields([FieldProblem("currency", "not-the-markets-currency", ["currency": currency])])
    }
}

extension TakeOrder.OwnOrder: ProblemConvertible {
    var problem: Problem { Problem("own-order", status: .forbidden) }
}

extension AcceptOrder.NotVerified: ProblemConvertible {
    var problem: Problem { Problem("provider-not-verified", status: .forbidden) }
}

extension AcceptOrder.Changed: ProblemConvertible {
    var problem: Problem {
        Problem("order-changed", status: .conflict, extensions: ["version": .integer(Int64(version))])
    }
}

extension AcceptOrder.TooLong: ProblemConvertible {
    var problem: Problem {
        .invalidFields([
            FieldProblem("minutes", "out-of-range", ["minimum": "1", "maximum": String(maximumMinutes)])
        ])
    }
}

extension Presence.NotAtPlace: ProblemConvertible {
    var problem: Problem {
        Problem(
            "not-at-place", status: .conflict,
            arguments: ["metres": String(reach), "seconds": String(freshness)])
    }
}

extension CustomerRefusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .leaving: .accountLeaving
        case .banned: .banned
        case .blocked: .accountBlocked
        case .methodMissing: Problem("payment-method-required", status: .conflict)
        case .tooManyOpen(let limit):
            Problem("too-many-open-orders", status: .conflict, arguments: ["maximum": String(limit)])
        case .unknown: Problem("account-not-ready", status: .conflict, headers: [.retryAfter: "1"])
        }
    }
}

extension RequestOrder.Refusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .unknownServices(let indices): Self.services(indices, "unknown-service")
        case .notOffered(let indices): Self.services(indices, "service-not-offered")
        case .totalTooLarge: Self.services([], "service-not-offered")
        case .ownProvider: .invalidFields([FieldProblem("provider", "own-account")])
        case .outsideArea:
            .invalidFields(["latitude", "longitude"].map { FieldProblem(JSONPointer([$0]), "outside-service-area") })
        case .marketClosed: Problem("market-closed", status: .conflict)
        case .tooManyWaiting:
            Problem(
                "too-many-waiting", status: .conflict, arguments: ["maximum": String(RequestOrder.waitingLimit)])
        case .providerUnavailable: Problem("provider-unavailable", status: .conflict)
        }
    }

    private static func services(_ indices: [Int], _ code: String) -> Problem {
        let list = JSONPointer(["services"])
        let pointers = indices.isEmpty ? [list] : indices.map { list.appending($0) }
        return .invalidFields(pointers.map { FieldProblem($0, code) })
    }
}

extension RateOrder.Refusal: ProblemConvertible {
    var problem: Problem {
        switch self {
        case .alreadyRated: Problem("already-rated", status: .conflict)
        case .serviceStarsByProvider: .invalidFields([FieldProblem("serviceStars", "for-customers-only")])
        }
    }
}
