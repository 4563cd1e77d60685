// `import Combine` brings what it brings on Apple's platforms: Combine's API, for Foundation's types
// too. All of it lives in the modules below.
@_exported import StreamsFoundation
