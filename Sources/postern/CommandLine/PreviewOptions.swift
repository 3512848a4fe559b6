/// Options of `postern preview`.
struct PreviewOptions: Sendable, Equatable {
    /// A loopback address. Default 127.0.0.1.
    var host = "127.0.0.1"
    /// 0 to 65535, 0 for a free one. Default 9097.
    var port = 9097
    /// The folder of mail templates.
    var templates: String?
}
