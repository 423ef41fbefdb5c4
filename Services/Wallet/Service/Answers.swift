import Foundation
import HTTPTypes
import Hummingbird
import ServiceKit

/// `{"items": […]}`: a list that is short enough to be returned whole.
struct WholeList<Item: Encodable & Sendable>: ResponseEncodable, Sendable {
    let items: [Item]
}

/// An amount of money in JSON.
struct AmountView: Encodable, Sendable {
    /// Minor units.
    let amount: Int
    let currency: String
}
