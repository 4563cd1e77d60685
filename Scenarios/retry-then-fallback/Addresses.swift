// A server answers by address: each way in which it answers has one of its own.
let address = "https://api.example.com/quote"
let lostOnceAddress = "https://api.example.com/quote/lost-once"
let lostAddress = "https://api.example.com/quote/lost"
let mirrorAddress = "https://mirror.example.com/mirror/quote"
let slowMirrorAddress = "https://mirror.example.com/mirror/quote/slow"
