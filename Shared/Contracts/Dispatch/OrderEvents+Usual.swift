public import Messaging

extension SnapshotEvent {
    public static func readUsual(_ json: inout FastJSON) throws(FastJSON.UnsupportedJSON) -> Self? {
        try json.beginObject()
        guard try json.nextKey() == "order" else { return nil }
        let order = try OrderSnapshot(usual: &json)
        guard try json.nextKey() == nil else { return nil }
        return Self(order: order)
    }

    public var usualBody: [UInt8]? {
        var object = UsualObject(capacity: 1_024)
        object.add("order") { order.write(&$0) }
        return object.end()
    }
}

extension PartingEvent {
    public static func readUsual(_ json: inout FastJSON) throws(FastJSON.UnsupportedJSON) -> Self? {
        var order: OrderSnapshot?
        var former: OrderSnapshot.Party?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "order" where order == nil: order = try OrderSnapshot(usual: &json)
            case "former" where former == nil: former = try OrderSnapshot.Party(usual: &json)
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        return order.map { Self(order: $0, former: former) }
    }

    public var usualBody: [UInt8]? {
        var object = UsualObject(capacity: 1_024)
        object.add("order") { order.write(&$0) }
        if let former { object.add("former") { former.write(&$0) } }
        return object.end()
    }
}

extension OrderAccepted {
    public static func readUsual(_ json: inout FastJSON) throws(FastJSON.UnsupportedJSON) -> OrderAccepted? {
        var order: OrderSnapshot?
        var companion: String?
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "order" where order == nil: order = try OrderSnapshot(usual: &json)
            case "companion" where companion == nil: companion = try json.text()
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        return order.map { OrderAccepted(order: $0, companion: companion) }
    }

    public var usualBody: [UInt8]? {
        var object = UsualObject(capacity: 1_024)
        object.add("order") { order.write(&$0) }
        if let companion { object.add("companion", text: companion) }
        return object.end()
    }
}

extension OrderNearby {
    public static func readUsual(_ json: inout FastJSON) throws(FastJSON.UnsupportedJSON) -> OrderNearby? {
        var order: OrderSnapshot?
        var (metres, seconds): (Int?, Int?) = (nil, nil)
        try json.beginObject()
        while let key = try json.nextKey() {
            switch key {
            case "order" where order == nil: order = try OrderSnapshot(usual: &json)
            case "metresLeft" where metres == nil: metres = try json.integer()
            case "secondsLeft" where seconds == nil: seconds = try json.integer()
            default: throw FastJSON.UnsupportedJSON()
            }
        }
        guard let order, let metres, let seconds else { return nil }
        return OrderNearby(order: order, metresLeft: metres, secondsLeft: seconds)
    }

    public var usualBody: [UInt8]? {
        var object = UsualObject(capacity: 1_024)
        object.add("order") { order.write(&$0) }
        object.add("metresLeft", metresLeft)
        object.add("secondsLeft", secondsLeft)
        return object.end()
    }
}
