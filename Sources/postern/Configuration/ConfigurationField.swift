/// A value that was read from the file together with its place, so that checks made later can still name it.
struct ConfigurationField<Value> {
    /// The value.
    var value: Value
    /// Its key path.
    var keyPath: String
    /// Where it stands.
    var position: TextPosition
    /// Where problems go.
    var report: ConfigurationReport

    /// Reports that the value will not do.
    func refuse(_ reason: String, _ remedy: String) {
        report.add(keyPath, at: position, reason, remedy)
    }

    /// The same place with another value.
    func with<Other>(_ value: Other) -> ConfigurationField<Other> {
        .init(value: value, keyPath: keyPath, position: position, report: report)
    }
}

extension ConfigurationField<String> {
    /// What the text stands for; a text that stands for nothing is reported and nil.
    func parsed<Parsed: ConfigurationText>(as type: Parsed.Type = Parsed.self) -> ConfigurationField<Parsed>? {
        do throws(ConfigurationFault) {
            return with(try Parsed(configured: value))
        } catch {
            refuse(error.reason, error.remedy)
            return nil
        }
    }
}
