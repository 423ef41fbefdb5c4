extension Order.Particulars {
    /// As they are stored beside the order's places: without the name of the relative, which `people` has (I14).
    var withoutNames: Order.Particulars {
        guard case .homeCare(var care) = self else { return self }
        care.relative?.name = ""
        return .homeCare(care)
    }
}
