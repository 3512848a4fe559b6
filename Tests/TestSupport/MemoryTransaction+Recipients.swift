internal import ActionCodes
internal import Mail
internal import Platform

extension MemoryTransaction {
    func suppression(of email: EmailAddress, project: String, now: UnixTime) throws(StoreError) -> Suppression? {
        state.suppressions[MemoryState.AddressKey(project: project, email: email)].flatMap { $0.until.map { $0 > now } ?? true ? $0 : nil }
    }

    func suppressions(project: String, after address: String?, limit: Int, now: UnixTime) throws(StoreError) -> [Suppression] {
        func precedes(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }
        let all = state.suppressions.values.filter { suppression in
            suppression.projectID == project && suppression.until.map { $0 > now } ?? true
                && precedes(address ?? "", suppression.email.text)
        }
        return Array(all.sorted { precedes($0.email.text, $1.email.text) }.prefix(limit))
    }

    func suppress(_ suppression: Suppression) throws(StoreError) { change { $0.suppress(suppression) } }

    func releaseSuppression(of email: EmailAddress, project: String) throws(StoreError) -> Bool {
        var released = false
        change { released = $0.suppressions.removeValue(forKey: MemoryState.AddressKey(project: project, email: email)) != nil }
        return released
    }

    func countDigitsTry(
        email: EmailAddress, project: String, now: UnixTime, limit: Int, window: Duration
    ) throws(StoreError) -> UnixTime? {
        let key = MemoryState.AddressKey(project: project, email: email)
        let recent = (state.digitsTries[key] ?? []).filter { $0 > now - window }
        if recent.count >= limit, let oldest = recent.min() { return oldest + window }
        change { $0.digitsTries[key] = recent + [now] }
        return nil
    }
}
