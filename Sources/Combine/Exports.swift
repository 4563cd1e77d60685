// `import Combine` brings what it brings on Apple's platforms: Combine's API, also for Foundation's
// types. All of it lives in the modules below.
@_exported import StreamsFoundation
