/// Phones that are lent to one order at a time.
actor Pool<Phone: Sendable> {
    private var free: [Phone]
    private var waiting: [CheckedContinuation<Phone, Never>] = []

    init(_ phones: [Phone]) { free = phones }

    func take() async -> Phone {
        if !free.isEmpty { return free.removeFirst() }
        return await withCheckedContinuation { waiting.append($0) }
    }

    func giveBack(_ phone: Phone) {
        if waiting.isEmpty { free.append(phone) } else { waiting.removeFirst().resume(returning: phone) }
    }
}
