import Combine
import TakenByURL

let subscription = [1, 2].publisher.twice().sink { print($0) }
