/// Something that goes wrong, and how it is put right.
protocol Fault: Sendable {
    func begin() async throws
    func heal() async throws
}

extension Fault {
    func heal() async throws {}
}

extension ChaosSchedule.Entry {
    /// The fault that the entry names.
    func fault(on ground: ChaosGround) -> any Fault {
        switch kind {
        case .kill: KillProcess(ground: ground, name: target)
        case .stop: StopProcess(ground: ground, name: target)
        case .clockSkew: SkewClock(ground: ground, name: target)
        case .rollingUpdate: RollingUpdate(ground: ground)
        case .migrations: MigrateUnderLoad(ground: ground)
        case .databaseRestart: RestartDatabase(ground: ground)
        case .databaseCut: CutDatabaseSessions(ground: ground, service: target)
        case .databaseStall: StallDatabaseSessions(ground: ground, service: target)
        case .brokerRestart: RestartBrokerApplication(ground: ground)
        case .brokerKill: KillBroker(ground: ground)
        case .brokerCut: CutBrokerConnections(ground: ground)
        case .brokerStall: StallBroker(ground: ground)
        case .memoryAlarm: MemoryAlarm(ground: ground)
        case .diskAlarm: DiskAlarm(ground: ground)
        case .duplicates: LateDuplicates(ground: ground)
        case .providerDown: PaymentProviderDown(ground: ground)
        case .providerSlow: PaymentProviderSlow(ground: ground)
        }
    }
}
