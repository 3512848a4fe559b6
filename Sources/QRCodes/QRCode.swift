internal import CQREncode

/// A QR code of a text in 8-bit bytes (ISO/IEC 18004, model 2).
///
/// Error correction level L for long texts, M for short ones: a screen is clean, and fewer modules are read from further away.
public struct QRCode: Sendable, Equatable {
    /// Modules a side, without the quiet zone: 21 to 177.
    public let width: Int
    /// Row by row, whether a module is dark; `width` times `width`.
    public let modules: [Bool]

    /// The most bytes that a code holds: version 40, level L.
    public static let maximumLength = 2953

    /// Up to this many bytes level M is taken; the code has 61 modules a side at most then.
    private static let comfortableLength = 250

    /// Makes the code of a text; nil when it is empty or longer than `maximumLength` bytes of UTF-8.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty, bytes.count <= Self.maximumLength else { return nil }
        let level = bytes.count <= Self.comfortableLength ? QR_ECLEVEL_M : QR_ECLEVEL_L
        // By length, because the C string's function would stop at a NUL; version 0 means the smallest that fits.
        let code = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe QRcode_encodeData(Int32(buffer.count), buffer.baseAddress, 0, level)
        }
        guard let code = unsafe code else { return nil }
        defer { unsafe QRcode_free(code) }
        let width = Int(unsafe code.pointee.width)
        guard width > 0, let data = unsafe code.pointee.data else { return nil }
        self.width = width
        // The lowest bit says whether a module is dark; the others tell what it is for.
        self.modules = unsafe UnsafeBufferPointer(start: data, count: width * width).map { $0 & 1 == 1 }
    }

    /// Light modules that scanners need around the code (ISO/IEC 18004 §6.3.8).
    public static let quietZone = 4

    /// The side of the drawing in modules: the code and its quiet zone.
    public var side: Int { width + 2 * Self.quietZone }

    /// The dark modules as the `d` of one SVG path in a square of `side` units: a rectangle for each run in a row.
    public var path: String {
        var path = ""
        path.reserveCapacity(width * width * 3)
        for row in 0..<width {
            var column = 0
            while column < width {
                guard modules[row * width + column] else {
                    column += 1
                    continue
                }
                let start = column
                while column < width, modules[row * width + column] { column += 1 }
                let length = column - start
                path += "M\(start + Self.quietZone) \(row + Self.quietZone)h\(length)v1h-\(length)z"
            }
        }
        return path
    }
}
