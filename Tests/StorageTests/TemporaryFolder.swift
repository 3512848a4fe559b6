import Foundation

/// A folder that is gone when the test is over.
func withTemporaryFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
    let folder = NSTemporaryDirectory() + "postern-storage-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
}
