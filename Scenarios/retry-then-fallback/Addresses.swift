import ScenarioKit

let address = "https://api.example.com/quote"
let fallbackAddress = "https://mirror.example.com/quote"
let url = URL(string: address)!
let fallbackURL = URL(string: fallbackAddress)!
