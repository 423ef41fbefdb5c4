import PollThread

/// One timer for the deadlines of the role and of closing.
extension Link {
    func armTimer() {
        // After the close is sent, the role writes nothing more.
        let ofRole = closing == .sent || closing == .done ? nil : role.nextDeadline
        let deadlines = [ofRole, closing == .done ? nil : closingDeadline].compactMap { $0 }
        guard let next = deadlines.min(), phase != .ended else { return }
        if let timer, timer.at <= next { return }
        timer?.task.cancel()
        timer = (next, Task(executorPreference: thread) { await self.expire(at: next) })
    }

    private func expire(at deadline: ContinuousClock.Instant) async {
        do throws(PollThread.WaitError) { try await thread.sleep(until: deadline) } catch { return }
        guard timer?.at == deadline else { return }
        timer = nil
        role.expire(now: .now)
        turn()
    }
}
