// Prints what long chains of operators deliver. The larger part of the test is that they compile at
// all, in debug and in release: see docs/long-chains.md. Every build must print the same bytes as
// the snapshot in ChainsTests/Snapshots.

StepByStep.report()
OneExpression.report()
OpaqueTypes.report()
ErasedTypes.report()
NestedMaps.report()
