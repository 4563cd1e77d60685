/// A test of a search, in marbles of 10 ms.
struct SearchTest {
  // Change only this: what is typed, and what should be shown. A typed a is shown as A.
  let typed = "-d----e-----------x-----------fg-----------|"
  let shown = "---------------E-----------?------------G--|"
}
