import Contracts
import Foundation
import Messaging

// Each step of an order is answered with the order; Foundation's JSON encoder took a tenth of dispatch's time for it. A
// new field of the view must be added here, too; the tests of the views check that.

extension OrderView: UsuallyWritten {
    /// The JSON of a visit. Orders with data of another kind, or with a promo code, are nil here and encoded by
    /// Foundation.
    var usualBody: [UInt8]? {
        guard parcel == nil, care == nil, ride == nil, food == nil, bike == nil, promo == nil else { return nil }
        var json = UsualObject(capacity: 1_536)
        json.add("order", word: order)
        json.add("market", text: market)
        json.add("kind", text: kind)
        json.add("version", version)
        json.add("state", word: state.rawValue)
        json.add("label", text: label)
        json.add("role", word: role.rawValue)
        if let isOnlySeen { json.add("isOnlySeen", isOnlySeen) }
        json.add("customer") { customer.write(&$0) }
        if let provider { json.add("provider") { provider.write(&$0) } }
        json.add("customerRating") { customerRating.write(&$0) }
        json.add("providerRating") { providerRating.write(&$0) }
        json.add("services", services) { service, json in
            json.add("service", text: service.service)
            json.add("name", texts: service.name.texts)
            json.add("price", service.price)
        }
        json.add("total") { total.write(&$0) }
        if let isTotalRough { json.add("isTotalRough", isTotalRough) }
        json.add("payment") { json in
            if let method = payment.method { json.add("method", text: method) }
            json.add("state", word: payment.state.rawValue)
        }
        json.add("confirmedBy", words: confirmedBy.map(\.rawValue))
        if let deadline { json.add("deadline", deadline) }
        json.add("by", word: by.rawValue)
        if let reason { json.add("reason", text: reason) }
        if let companion { json.add("companion", text: companion) }
        if let vehicle { json.add("vehicle", text: vehicle) }
        json.add("place") { place.write(&$0) }
        if let metresAway { json.add("metresAway", metresAway) }
        json.add("ratings") { ratings.write(&$0) }
        json.add("requestedAt", requestedAt)
        json.add("changedAt", changedAt)
        if let arrivedAt { json.add("arrivedAt", arrivedAt) }
        writeRare(&json)
        return json.end()
    }

    private func writeRare(_ json: inout UsualObject) {
        if let reasonText { json.add("reasonText", text: reasonText) }
        if let report { json.add("report", word: report) }
        if let fine { json.add("fine") { fine.write(&$0) } }
        if let outcome { json.add("outcome") { outcome.write(&$0) } }
        if let ended { json.add("ended") { ended.write(&$0) } }
        if let destination { json.add("destination") { destination.write(&$0) } }
        if let scheduledAt { json.add("scheduledAt", scheduledAt) }
        if let proposedAt { json.add("proposedAt", proposedAt) }
        if let deposit { json.add("deposit") { deposit.write(&$0) } }
        if let depositState { json.add("depositState", word: depositState) }
    }
}

extension OrderView.Party {
    fileprivate func write(_ json: inout UsualObject) {
        json.add("account", word: account)
        json.add("name", text: name)
    }
}

extension OrderView.Place {
    fileprivate func write(_ json: inout UsualObject) {
        json.add("latitude", decimal: latitude)
        json.add("longitude", decimal: longitude)
        if let description { json.add("description", text: description) }
    }
}

extension OrderView.Standing {
    fileprivate func write(_ json: inout UsualObject) {
        if let average { json.add("average", decimal: average) }
        json.add("count", count)
    }
}

extension OrderView.Ratings {
    fileprivate func write(_ json: inout UsualObject) {
        if let customer { json.add("customer") { customer.write(&$0) } }
        if let provider { json.add("provider") { provider.write(&$0) } }
        if let merchant { json.add("merchant") { merchant.write(&$0) } }
    }
}

extension OrderView.Rating {
    fileprivate func write(_ json: inout UsualObject) {
        json.add("stars", stars)
        if let serviceStars { json.add("serviceStars", serviceStars) }
        if let comment { json.add("comment", text: comment) }
        json.add("at", at)
    }
}

extension OrderView.Ending {
    fileprivate func write(_ json: inout UsualObject) {
        json.add("by", word: by.rawValue)
        json.add("at", at)
        if let reason { json.add("reason", text: reason) }
        if let fine { json.add("fine") { fine.write(&$0) } }
        if let metres { json.add("metres", metres) }
        json.add("paidTo", word: paidTo)
    }
}
