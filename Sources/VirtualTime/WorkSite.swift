/// The place in the user's code that scheduled work, in a form that costs little to take.
package protocol WorkSite: Sendable {}
