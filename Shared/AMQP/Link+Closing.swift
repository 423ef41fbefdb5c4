extension Link {
    /// Accepts nothing new, waits until no caller waits or the limit is over, closes, and ends `run()`.
    func close(within limit: Duration) async {
        switch phase {
        case .ended: return
        case .notStarted: return finish()
        case .running: break
        }
        if closing == .no {
            closing = .requested
            closingDeadline = .now + limit
            do {
                try role.beginClosing(connection)
            } catch {
                if let connection { fail(connection, error) }
            }
            turn()
        }
        await withUnsafeContinuation { waiter in
            // Even a call within the actor may let another job run in between: `run()` may have ended by now.
            if phase == .ended { waiter.resume() } else { closeWaiters.append(waiter) }
        }
    }

    func advanceClosing(_ now: ContinuousClock.Instant) {
        let isDue = closingDeadline.map { $0 <= now } ?? true
        switch closing {
        case .no, .done: break
        case .requested:
            guard role.isIdle || isDue else { return }
            guard let connection, failure == nil else { return endClosing() }
            closing = .sent
            closingDeadline = now + Self.closeTimeout
            do {
                try connection.writer.closeConnection("closed")
                try write(connection, now)
            } catch {
                endClosing()
            }
        case .sent:
            if isDue { endClosing() }
        }
    }

    private func endClosing() {
        closing = .done
        connection?.interrupt()
        control.raise()
    }
}
