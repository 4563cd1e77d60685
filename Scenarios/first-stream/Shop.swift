import ScenarioKit

// region: shop
/// The prices on the shop's list.
func prices() -> some Publisher<Int, Never> {
  [5, 12, 8].publisher
}

func addShipping(price: Int) -> Int {
  print("shipping for", price)
  return price + 3
}
// endregion

// region: cheap
func isCheap(price: Int) -> Bool {
  print("is", price, "cheap?")
  return price < 10
}
// endregion
