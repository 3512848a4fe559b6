internal import Mail
internal import Platform

/// An exact host name as a list of the configuration holds it: lower case, A-labels, no port and no wildcard.
struct ConfiguredHost: ConfigurationText, Sendable, Hashable {
    /// The name, or an IPv4 address in its usual form.
    let text: String

    /// Whether it is an IPv4 address rather than a name.
    var isAddress: Bool { IPAddress(text) != nil }

    init(configured text: String) throws(ConfigurationFault) {
        func refuse(_ reason: String) -> ConfigurationFault {
            ConfigurationFault("\(text.shown) \(reason)", "expected a host name alone, such as example.com")
        }
        if text.isEmpty { throw refuse("is empty") }
        if text.contains("://") { throw refuse("is a URL") }
        if text.contains("*") { throw ConfigurationFault("\(text.shown) is a wildcard", "list each host by its full name") }
        if text.contains("/") { throw refuse("has a path") }
        if text.contains(":") { throw refuse("has a port") }
        if text.hasSuffix(".") { throw refuse("ends in a dot") }
        if IPAddress(text) != nil {
            self.text = text
            return
        }
        guard let name = HostName(text) else { throw refuse("is not a host name") }
        self.text = name.text
    }
}
