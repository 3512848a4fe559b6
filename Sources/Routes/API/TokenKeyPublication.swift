/// For how long verifiers may keep the published keys; a new key signs only after it.
public enum TokenKeyPublication {
    /// Five minutes.
    public static let cacheTime: Duration = .seconds(300)
}
