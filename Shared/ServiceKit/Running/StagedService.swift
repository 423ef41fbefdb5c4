import Logging
import ServiceLifecycle

/// Runs one component when its turn has come, and opens the gate for the next when it is of use.
struct StagedService: Service {
    struct EndedEarly: Error, CustomStringConvertible {
        let component: String
        var description: String { "\(component) ended although nobody asked it to" }
    }

    let component: ServiceComponent
    let turn: StartGate
    let next: StartGate
    let states: ComponentStates
    let shutdown: ShutdownState
    let logger: Logger

    private enum Event {
        case started, ended
    }

    func run() async throws {
        states.set(component.name, .waiting)
        let isOurTurn = await cancelWhenGracefulShutdown { await turn.wait() }
        guard isOurTurn else { return states.set(component.name, .stopped) }
        states.set(component.name, .running)
        do {
            try await runComponent()
        } catch {
            states.set(component.name, Task.isCancelled ? .cancelled : .stopped)
            // An error of a cancelled component says no more than the cancellation.
            if Task.isCancelled { return }
            logger.error(
                "component failed",
                metadata: [
                    LogKeys.component: "\(component.name)", LogKeys.error: "\(String(describing: error).prefix(500))",
                ])
            throw error
        }
        states.set(component.name, Task.isCancelled ? .cancelled : .stopped)
        logger.debug("component stopped", metadata: [LogKeys.component: "\(component.name)"])
    }

    private func runComponent() async throws {
        try await withThrowingTaskGroup(of: Event.self) { group in
            group.addTask {
                try await component.service.run()
                return .ended
            }
            group.addTask {
                try await component.whenStarted()
                return .started
            }
            while let event = try await group.next() {
                switch event {
                case .started:
                    logger.info("component started", metadata: [LogKeys.component: "\(component.name)"])
                    next.open()
                case .ended:
                    group.cancelAll()
                    guard shutdown.hasBegun || Task.isCancelled || Task.isShuttingDownGracefully else {
                        throw EndedEarly(component: component.name)
                    }
                    return
                }
            }
        }
    }
}
