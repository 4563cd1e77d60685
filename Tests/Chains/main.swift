// Prints what long chains of operators deliver. That they compile at all, in debug and in release,
// is the larger part of the test: see docs/long-chains.md. Everything has to print the same bytes in
// every build: those in ChainsTests/Snapshots.

StepByStep.report()
OneExpression.report()
OpaqueTypes.report()
ErasedTypes.report()
NestedMaps.report()
