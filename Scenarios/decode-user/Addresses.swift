// A server answers by address: each user that it treats in another way has one of its own.
let ada = "https://api.example.com/users/ada"
let outOfOrder = "https://api.example.com/users/out-of-order"
let nameless = "https://api.example.com/users/nameless"
