// Checks of locks that only an optimised build can fail, so `make release-check` runs this program
// with all optimisations.

checkIgnoredResults()
checkGates()
