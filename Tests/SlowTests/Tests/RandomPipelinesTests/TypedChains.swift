import Streams
import TestSupport
import VirtualTime

// Printed by TypedChainsTests.

func typedChain(
  _ index: Int, _ subject0: PassthroughSubject<Int, TestError>
) -> AnyPublisher<Int, TestError>? {
  switch index {
  case 0:
    return
      subject0
      .tryCompactMap { try reject($0, multiplesOf: 3) > 2 ? $0 : nil }
      .map { $0 &+ 3 }
      .tryCompactMap { try reject($0, multiplesOf: 2) > 2 ? $0 : nil }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 1:
    return
      Record<Int, TestError>(output: [3, 5], completion: .finished)
      .collect(3).map { $0.digest }
      .tryAllSatisfy { try reject($0, multiplesOf: 3) < 4 }.map { $0 ? 1 : 0 }
      .tryMap { try reject($0, multiplesOf: 5) }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 2:
    return
      [5, 0].publisher
      .min { $0 % 2 < $1 % 2 }
      .min().setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 3:
    return
      Just(0)
      .first()
      .collect().map { $0.digest }.setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 4:
    return
      subject0
      .map { $0 &+ 2 }
      .map { $0 &+ 2 }
      .map { $0 &+ 2 }
      .eraseToAnyPublisher()
  case 5:
    return
      subject0
      .map { $0 &+ 3 }
      .flatMap(maxPublishers: .max(1)) { value in
        Just(2).setFailureType(to: TestError.self)
          .map { $0 &+ value }
      }
      .eraseToAnyPublisher()
  case 6:
    return
      Just(5)
      .tryLast { try reject($0, multiplesOf: 2) < 4 }
      .compactMap { $0.isMultiple(of: 4) ? nil : $0 &+ 1 }
      .share().mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 7:
    return
      subject0
      .tryMap { try reject($0, multiplesOf: 2) }
      .tryCompactMap { try reject($0, multiplesOf: 3) > 2 ? $0 : nil }
      .prefix { $0 < 2 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 8:
    return
      subject0
      .tryFilter { try reject($0, multiplesOf: 3) > 2 }
      .filter { !$0.isMultiple(of: 3) }
      .tryFilter { try reject($0, multiplesOf: 2) > 2 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 9:
    return
      Result<Int, TestError>.success(0).publisher
      .collect(2).map { $0.digest }
      .removeDuplicates { $0 % 2 == $1 % 2 }
      .eraseToAnyPublisher()
  case 10:
    return
      [3, 2].publisher.setFailureType(to: TestError.self)
      .max { $0 % 2 < $1 % 2 }
      .append(
        [1, 0].publisher.setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case 11:
    return
      subject0
      .map { $0 &+ 1 }
      .breakpoint(receiveOutput: { _ in false })
      .reduce(1) { 31 &* $0 &+ $1 }
      .eraseToAnyPublisher()
  case 12:
    return
      subject0
      .merge(
        with: Just(3).setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
      .merge(
        with: Just(5).setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      )
      .merge(
        with: Result<Int, TestError>.success(2).publisher
          .eraseToAnyPublisher()
      )
      .merge(
        with: Just(1).setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case 13:
    return
      [0, 5, 5, 3].publisher
      .min()
      .collect(3).map { $0.digest }.setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 14:
    return
      [Int]().publisher
      .tryContains { try reject($0, multiplesOf: 2) > 3 }.map { $0 ? 1 : 0 }
      .collect().map { $0.digest }
      .map { $0 &+ 2 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 15:
    return
      Int?(3).publisher.setFailureType(to: TestError.self)
      .multicast(subject: CurrentValueSubject(0)).autoconnect()
      .flatMap { value in
        Just(2).setFailureType(to: TestError.self)
          .map { $0 &+ value }
      }
      .eraseToAnyPublisher()
  case 16:
    return
      subject0
      .merge(
        with: [1, 2].publisher.setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
      .merge(
        with: Just(6).setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      )
      .merge(
        with: Result<Int, TestError>.success(2).publisher
          .eraseToAnyPublisher()
      )
      .merge(
        with: Just(6).setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case 17:
    return
      Record<Int, TestError>(output: [0, 0], completion: .failure("lost"))
      .first()
      .append(1, 0)
      .map(\.nonzeroBitCount)
      .eraseToAnyPublisher()
  case 18:
    return
      Record<Int, TestError>(output: [0, 0], completion: .failure("lost"))
      .max()
      .collect().map { $0.digest }
      .map { $0 &+ 2 }
      .eraseToAnyPublisher()
  case 19:
    return
      Result<Int, TestError>.success(3).publisher
      .removeDuplicates()
      .tryPrefix { try reject($0, multiplesOf: 4) < 4 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 20:
    return
      subject0
      .map { $0 &+ 3 }
      .map { $0.isMultiple(of: 4) ? nil : $0 }.replaceNil(with: 9)
      .tryMap { try reject($0, multiplesOf: 4) }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 21:
    return
      [5, 0].publisher
      .map(\.nonzeroBitCount)
      .dropFirst(2)
      .prefix { $0 < 3 }.setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 22:
    return
      subject0
      .replaceEmpty(with: 7)
      .tryFirst { try reject($0, multiplesOf: 3) > 3 }
      .drop { $0 < 3 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 23:
    return
      [Int]().publisher
      .last { $0 < 3 }
      .replaceEmpty(with: 8)
      .tryScan(0) { try $0 &+ reject($1, multiplesOf: 3) }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 24:
    return
      subject0
      .tryCompactMap { try reject($0, multiplesOf: 5) > 2 ? $0 : nil }
      .map { $0 &+ 1 }
      .compactMap { $0.isMultiple(of: 2) ? nil : $0 &+ 1 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 25:
    return
      [5, 1, 4, 6].publisher.setFailureType(to: TestError.self)
      .prepend(2, 0)
      .flatMap { value in
        Just(5).setFailureType(to: TestError.self)
          .map { $0 &+ value }
      }
      .eraseToAnyPublisher()
  case 26:
    return
      subject0
      .min { $0 % 3 < $1 % 3 }
      .output(in: 0..<0)
      .output(at: 0)
      .eraseToAnyPublisher()
  case 27:
    return
      Record<Int, TestError>(output: [1, 3], completion: .finished)
      .map { $0.isMultiple(of: 4) ? nil : $0 }.replaceNil(with: 9)
      .tryLast { try reject($0, multiplesOf: 3) < 4 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 28:
    return
      subject0
      .tryFilter { try reject($0, multiplesOf: 5) > 2 }
      .tryFilter { try reject($0, multiplesOf: 3) > 2 }
      .tryFilter { try reject($0, multiplesOf: 2) > 2 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 29:
    return
      Int?(3).publisher
      .prefix(3)
      .max { $0 % 2 < $1 % 2 }
      .last { $0 < 4 }.setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 30:
    return
      subject0
      .max { $0 % 2 < $1 % 2 }
      .append(
        [1, 4].publisher.setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case 31:
    return
      subject0
      .collect().map { $0.digest }
      .removeDuplicates()
      .tryFilter { try reject($0, multiplesOf: 5) > 2 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 32:
    return
      subject0
      .tryFilter { try reject($0, multiplesOf: 5) > 2 }
      .tryFilter { try reject($0, multiplesOf: 4) > 2 }
      .tryFilter { try reject($0, multiplesOf: 2) > 2 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 33:
    return
      [Int]().publisher
      .prepend(3, 0)
      .tryFilter { try reject($0, multiplesOf: 2) > 2 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 34:
    return
      [5, 1].publisher
      .scan(1) { $0 &+ $1 }
      .contains(0).map { $0 ? 1 : 0 }
      .filter { !$0.isMultiple(of: 4) }.setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 35:
    return
      [4, 1, 3, 3].publisher.setFailureType(to: TestError.self)
      .dropFirst(1)
      .merge(
        with: [1, 1].publisher.setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case 36:
    return
      subject0
      .tryFilter { try reject($0, multiplesOf: 2) > 2 }
      .filter { !$0.isMultiple(of: 3) }
      .tryFilter { try reject($0, multiplesOf: 4) > 2 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 37:
    return
      [6, 6].publisher
      .multicast { PassthroughSubject() }.autoconnect()
      .append(3, 0)
      .collect(3).map { $0.digest }.setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 38:
    return
      Just(3)
      .min { $0 % 3 < $1 % 3 }
      .tryPrefix { try reject($0, multiplesOf: 2) < 4 }
      .multicast { PassthroughSubject() }.autoconnect().mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 39:
    return
      Record<Int, TestError>(output: [2, 5], completion: .failure("lost"))
      .tryDrop { try reject($0, multiplesOf: 2) < 4 }
      .filter { !$0.isMultiple(of: 2) }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 40:
    return
      subject0
      .map { $0 &+ 1 }
      .map { $0.isMultiple(of: 4) ? nil : $0 }.replaceNil(with: 9)
      .map { $0.isMultiple(of: 4) ? nil : $0 }.replaceNil(with: 9)
      .eraseToAnyPublisher()
  case 41:
    return
      [0, 5].publisher
      .last { $0 < 3 }
      .multicast(subject: CurrentValueSubject(2)).autoconnect()
      .tryDrop { try reject($0, multiplesOf: 4) < 4 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 42:
    return
      Int?(4).publisher
      .contains(3).map { $0 ? 1 : 0 }
      .tryFilter { try reject($0, multiplesOf: 3) > 2 }
      .tryScan(0) { try $0 &+ reject($1, multiplesOf: 3) }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 43:
    return
      [0, 0].publisher
      .tryLast { try reject($0, multiplesOf: 2) < 4 }
      .tryLast { try reject($0, multiplesOf: 4) < 4 }
      .max().mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 44:
    return
      subject0
      .map { $0 &+ 3 }
      .map { $0 &+ 1 }
      .tryMap { try reject($0, multiplesOf: 5) }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 45:
    return
      Record<Int, TestError>(output: [0, 4], completion: .finished)
      .dropFirst(3)
      .flatMap { value in
        [1, 2].publisher.setFailureType(to: TestError.self)
          .map { $0 &+ value }
      }
      .eraseToAnyPublisher()
  case 46:
    return
      Result<Int, TestError>.success(4).publisher
      .map { $0.isMultiple(of: 3) ? nil : $0 }.replaceNil(with: 9)
      .collect(3).map { $0.digest }
      .eraseToAnyPublisher()
  case 47:
    return
      subject0
      .tryFirst { try reject($0, multiplesOf: 2) > 3 }
      .last().mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 48:
    return
      subject0
      .merge(
        with: Just(0).setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
      .merge(
        with: Just(2).setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      )
      .merge(
        with: Result<Int, TestError>.success(2).publisher
          .eraseToAnyPublisher()
      )
      .merge(
        with: Just(5).setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case 49:
    return
      Int?(nil).publisher
      .scan(2) { $0 &+ $1 }
      .first().setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 50:
    return
      [2, 5, 4, 6].publisher.setFailureType(to: TestError.self)
      .allSatisfy { $0 < 4 }.map { $0 ? 1 : 0 }
      .map { value in
        Just(6).setFailureType(to: TestError.self)
          .map { $0 &+ value }
      }
      .switchToLatest()
      .eraseToAnyPublisher()
  case 51:
    return
      Int?(nil).publisher
      .tryPrefix { try reject($0, multiplesOf: 5) < 4 }
      .removeDuplicates { $0 % 3 == $1 % 3 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 52:
    return
      subject0
      .filter { !$0.isMultiple(of: 4) }
      .filter { !$0.isMultiple(of: 4) }
      .filter { !$0.isMultiple(of: 3) }
      .eraseToAnyPublisher()
  case 53:
    return
      [6, 0].publisher
      .tryFirst { try reject($0, multiplesOf: 2) > 3 }
      .multicast { PassthroughSubject() }.autoconnect()
      .map { $0.isMultiple(of: 4) ? nil : $0 }.replaceNil(with: 9).mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 54:
    return
      Just(0)
      .handleEvents(receiveOutput: { _ in })
      .tryAllSatisfy { try reject($0, multiplesOf: 2) < 4 }.map { $0 ? 1 : 0 }.mapError {
        $0 as! TestError
      }
      .eraseToAnyPublisher()
  case 55:
    return
      [3, 6].publisher.setFailureType(to: TestError.self)
      .contains { $0 > 2 }.map { $0 ? 1 : 0 }
      .flatMap(maxPublishers: .max(2)) { value in
        [1, 2].publisher.setFailureType(to: TestError.self)
          .map { $0 &+ value }
      }
      .eraseToAnyPublisher()
  case 56:
    return
      subject0
      .eraseToAnyPublisher()
      .merge(
        with: [1, 3].publisher.setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      )
      .merge(
        with: Result<Int, TestError>.success(2).publisher
          .eraseToAnyPublisher()
      )
      .eraseToAnyPublisher()
      .merge(
        with: Just(1).setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      )
      .merge(
        with: Result<Int, TestError>.success(2).publisher
          .eraseToAnyPublisher()
      )
      .merge(
        with: [1, 3].publisher.setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case 57:
    return
      Just(3)
      .min()
      .count().setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 58:
    return
      [4, 0, 5, 3].publisher
      .breakpoint(receiveOutput: { _ in false })
      .removeDuplicates { $0 % 3 == $1 % 3 }.setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 59:
    return
      [Int]().publisher
      .tryLast { try reject($0, multiplesOf: 3) < 4 }
      .drop { $0 < 4 }
      .multicast { PassthroughSubject() }.autoconnect().mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 60:
    return
      subject0
      .tryFilter { try reject($0, multiplesOf: 5) > 2 }
      .filter { !$0.isMultiple(of: 4) }
      .tryFilter { try reject($0, multiplesOf: 4) > 2 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 61:
    return
      Int?(5).publisher
      .prepend(1, 0)
      .map(\.nonzeroBitCount).setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 62:
    return
      Int?(nil).publisher
      .drop { $0 < 4 }
      .tryDrop { try reject($0, multiplesOf: 5) < 4 }
      .collect(3).map { $0.digest }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 63:
    return
      [1, 1, 0, 3].publisher
      .collect(1).map { $0.digest }
      .allSatisfy { $0 < 3 }.map { $0 ? 1 : 0 }
      .min().setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 64:
    return
      subject0
      .map { $0.isMultiple(of: 2) ? nil : $0 }.replaceNil(with: 9)
      .map { $0 &+ 1 }
      .map { $0 &+ 2 }
      .eraseToAnyPublisher()
  case 65:
    return
      subject0
      .multicast(subject: CurrentValueSubject(1)).autoconnect()
      .flatMap { value in
        [1, 1].publisher.setFailureType(to: TestError.self)
          .map { $0 &+ value }
      }
      .eraseToAnyPublisher()
  case 66:
    return
      Just(5)
      .map { $0 &+ 1 }
      .output(in: 2..<4).setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 67:
    return
      Int?(nil).publisher
      .breakpoint(receiveOutput: { _ in false })
      .first { $0 > 4 }.setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 68:
    return
      subject0
      .eraseToAnyPublisher()
      .merge(
        with: [1, 3].publisher.setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      )
      .merge(
        with: Result<Int, TestError>.success(2).publisher
          .eraseToAnyPublisher()
      )
      .eraseToAnyPublisher()
      .merge(
        with: [1, 6].publisher.setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      )
      .merge(
        with: Result<Int, TestError>.success(2).publisher
          .eraseToAnyPublisher()
      )
      .eraseToAnyPublisher()
      .merge(
        with: [1, 0].publisher.setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      )
      .merge(
        with: Result<Int, TestError>.success(2).publisher
          .eraseToAnyPublisher()
      )
      .eraseToAnyPublisher()
  case 69:
    return
      Int?(3).publisher
      .collect().map { $0.digest }
      .reduce(2) { 31 &* $0 &+ $1 }.setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 70:
    return
      [4, 5].publisher.setFailureType(to: TestError.self)
      .map { $0 &+ 3 }
      .flatMap { value in
        Just(6).setFailureType(to: TestError.self)
          .map { $0 &+ value }
      }
      .eraseToAnyPublisher()
  case 71:
    return
      Record<Int, TestError>(output: [3, 2], completion: .finished)
      .tryDrop { try reject($0, multiplesOf: 2) < 4 }
      .min { $0 % 2 < $1 % 2 }
      .prefix { $0 < 1 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 72:
    return
      subject0
      .map { $0 &+ 2 }
      .map { $0 &+ 3 }
      .tryMap { try reject($0, multiplesOf: 5) }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 73:
    return
      subject0
      .max { $0 % 2 < $1 % 2 }
      .prepend(3, 0)
      .eraseToAnyPublisher()
  case 74:
    return
      Result<Int, TestError>.success(0).publisher
      .collect(3).map { $0.digest }
      .multicast { PassthroughSubject() }.autoconnect()
      .eraseToAnyPublisher()
  case 75:
    return
      Just(3).setFailureType(to: TestError.self)
      .last()
      .append(
        Just(5).setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case 76:
    return
      subject0
      .merge(
        with: Just(5).setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
      .merge(
        with: Just(5).setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      )
      .merge(
        with: Result<Int, TestError>.success(2).publisher
          .eraseToAnyPublisher()
      )
      .merge(
        with: Just(6).setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case 77:
    return
      Int?(nil).publisher
      .tryAllSatisfy { try reject($0, multiplesOf: 5) < 4 }.map { $0 ? 1 : 0 }
      .max { $0 % 2 < $1 % 2 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 78:
    return
      Int?(3).publisher
      .count()
      .collect().map { $0.digest }.setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 79:
    return
      [6, 4, 3, 2].publisher
      .max { $0 % 2 < $1 % 2 }
      .breakpoint(receiveOutput: { _ in false })
      .tryScan(0) { try $0 &+ reject($1, multiplesOf: 5) }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 80:
    return
      subject0
      .map { $0 &+ 3 }
      .map { $0 &+ 1 }
      .tryCompactMap { try reject($0, multiplesOf: 4) > 2 ? $0 : nil }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 81:
    return
      Int?(nil).publisher
      .replaceEmpty(with: 9)
      .multicast { PassthroughSubject() }.autoconnect().setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 82:
    return
      subject0
      .output(at: 0)
      .count()
      .append(2, 0)
      .eraseToAnyPublisher()
  case 83:
    return
      [1, 4].publisher
      .multicast(subject: CurrentValueSubject(0)).autoconnect()
      .multicast(subject: CurrentValueSubject(1)).autoconnect()
      .tryPrefix { try reject($0, multiplesOf: 2) < 4 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 84:
    return
      subject0
      .tryFilter { try reject($0, multiplesOf: 5) > 2 }
      .tryFilter { try reject($0, multiplesOf: 2) > 2 }
      .filter { !$0.isMultiple(of: 4) }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 85:
    return
      Int?(1).publisher.setFailureType(to: TestError.self)
      .reduce(1) { 31 &* $0 &+ $1 }
      .map { value in
        [1, 1].publisher.setFailureType(to: TestError.self)
          .map { $0 &+ value }
      }
      .switchToLatest()
      .eraseToAnyPublisher()
  case 86:
    return
      Just(3)
      .tryMap { try reject($0, multiplesOf: 3) }
      .dropFirst(0).mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 87:
    return
      Int?(nil).publisher
      .tryCompactMap { try reject($0, multiplesOf: 3) > 2 ? $0 : nil }
      .drop { $0 < 2 }
      .map { $0 &+ 3 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 88:
    return
      subject0
      .eraseToAnyPublisher()
      .merge(
        with: [1, 4].publisher.setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      )
      .merge(
        with: Result<Int, TestError>.success(2).publisher
          .eraseToAnyPublisher()
      )
      .eraseToAnyPublisher()
      .merge(
        with: Just(2).setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      )
      .merge(
        with: Result<Int, TestError>.success(2).publisher
          .eraseToAnyPublisher()
      )
      .merge(
        with: Just(4).setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case 89:
    return
      Result<Int, TestError>.success(3).publisher
      .collect(1).map { $0.digest }
      .min { $0 % 3 < $1 % 3 }
      .eraseToAnyPublisher()
  case 90:
    return
      Result<Int, TestError>.success(6).publisher
      .multicast(subject: CurrentValueSubject(2)).autoconnect()
      .append(
        Just(4).setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case 91:
    return
      Just(5)
      .share()
      .map { $0.isMultiple(of: 2) ? nil : $0 }.replaceNil(with: 9).setFailureType(
        to: TestError.self
      )
      .eraseToAnyPublisher()
  case 92:
    return
      subject0
      .compactMap { $0.isMultiple(of: 3) ? nil : $0 &+ 1 }
      .compactMap { $0.isMultiple(of: 4) ? nil : $0 &+ 1 }
      .map { $0 &+ 3 }
      .eraseToAnyPublisher()
  case 93:
    return
      subject0
      .tryPrefix { try reject($0, multiplesOf: 5) < 4 }
      .tryContains { try reject($0, multiplesOf: 3) > 3 }.map { $0 ? 1 : 0 }.mapError {
        $0 as! TestError
      }
      .eraseToAnyPublisher()
  case 94:
    return
      [5, 2, 3, 0].publisher
      .breakpoint(receiveOutput: { _ in false })
      .last()
      .share().setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 95:
    return
      [5, 1, 6, 2].publisher.setFailureType(to: TestError.self)
      .first()
      .merge(
        with: [1, 6].publisher.setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case 96:
    return
      subject0
      .tryFilter { try reject($0, multiplesOf: 4) > 2 }
      .filter { !$0.isMultiple(of: 4) }
      .filter { !$0.isMultiple(of: 4) }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 97:
    return
      Record<Int, TestError>(output: [3, 1], completion: .finished)
      .output(in: 1..<2)
      .tryDrop { try reject($0, multiplesOf: 4) < 4 }
      .dropFirst(1).mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 98:
    return
      Result<Int, TestError>.success(5).publisher
      .removeDuplicates()
      .tryContains { try reject($0, multiplesOf: 3) > 3 }.map { $0 ? 1 : 0 }.mapError {
        $0 as! TestError
      }
      .eraseToAnyPublisher()
  case 99:
    return
      subject0
      .breakpoint(receiveOutput: { _ in false })
      .compactMap { $0.isMultiple(of: 2) ? nil : $0 &+ 1 }
      .eraseToAnyPublisher()
  case 100:
    return
      subject0
      .tryCompactMap { try reject($0, multiplesOf: 2) > 2 ? $0 : nil }
      .compactMap { $0.isMultiple(of: 3) ? nil : $0 &+ 1 }
      .tryCompactMap { try reject($0, multiplesOf: 2) > 2 ? $0 : nil }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 101:
    return
      Int?(3).publisher
      .max { $0 % 2 < $1 % 2 }
      .tryMap { try reject($0, multiplesOf: 5) }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 102:
    return
      Int?(nil).publisher
      .multicast(subject: CurrentValueSubject(1)).autoconnect()
      .prefix { $0 < 2 }
      .removeDuplicates { $0 % 2 == $1 % 2 }.setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 103:
    return
      Just(4)
      .map { $0 &+ 2 }
      .scan(0) { $0 &+ $1 }.setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 104:
    return
      subject0
      .eraseToAnyPublisher()
      .merge(
        with: [1, 5].publisher.setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      )
      .merge(
        with: Result<Int, TestError>.success(2).publisher
          .eraseToAnyPublisher()
      )
      .eraseToAnyPublisher()
      .merge(
        with: [1, 1].publisher.setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      )
      .merge(
        with: Result<Int, TestError>.success(2).publisher
          .eraseToAnyPublisher()
      )
      .merge(
        with: [1, 5].publisher.setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case 105:
    return
      Int?(3).publisher.setFailureType(to: TestError.self)
      .last()
      .append(
        Just(0).setFailureType(to: TestError.self)
      )
      .eraseToAnyPublisher()
  case 106:
    return
      Just(1)
      .last { $0 < 2 }
      .map { $0 &+ 2 }.setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  case 107:
    return
      Record<Int, TestError>(output: [1, 6], completion: .finished)
      .contains { $0 > 1 }.map { $0 ? 1 : 0 }
      .min()
      .eraseToAnyPublisher()
  case 108:
    return
      subject0
      .tryFilter { try reject($0, multiplesOf: 5) > 2 }
      .tryFilter { try reject($0, multiplesOf: 4) > 2 }
      .tryFilter { try reject($0, multiplesOf: 3) > 2 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 109:
    return
      Int?(5).publisher
      .prefix { $0 < 4 }
      .tryCompactMap { try reject($0, multiplesOf: 2) > 2 ? $0 : nil }
      .compactMap { $0.isMultiple(of: 4) ? nil : $0 &+ 1 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 110:
    return
      Int?(nil).publisher.setFailureType(to: TestError.self)
      .last { $0 < 2 }
      .flatMap { value in
        [1, 0].publisher.setFailureType(to: TestError.self)
          .map { $0 &+ value }
      }
      .eraseToAnyPublisher()
  case 111:
    return
      Int?(nil).publisher
      .tryLast { try reject($0, multiplesOf: 5) < 4 }
      .multicast { PassthroughSubject() }.autoconnect()
      .last().mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 112:
    return
      subject0
      .eraseToAnyPublisher()
      .merge(
        with: Just(0).setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      )
      .merge(
        with: Result<Int, TestError>.success(2).publisher
          .eraseToAnyPublisher()
      )
      .eraseToAnyPublisher()
      .merge(
        with: [1, 6].publisher.setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      )
      .merge(
        with: Result<Int, TestError>.success(2).publisher
          .eraseToAnyPublisher()
      )
      .eraseToAnyPublisher()
      .merge(
        with: [1, 4].publisher.setFailureType(to: TestError.self)
          .eraseToAnyPublisher()
      )
      .merge(
        with: Result<Int, TestError>.success(2).publisher
          .eraseToAnyPublisher()
      )
      .eraseToAnyPublisher()
  case 113:
    return
      [Int]().publisher
      .removeDuplicates { $0 % 2 == $1 % 2 }
      .max()
      .tryScan(0) { try $0 &+ reject($1, multiplesOf: 4) }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 114:
    return
      [5, 0, 6, 0].publisher
      .last { $0 < 3 }
      .tryReduce(0) { try $0 &+ reject($1, multiplesOf: 2) }
      .tryDrop { try reject($0, multiplesOf: 3) < 4 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 115:
    return
      subject0
      .last { $0 < 4 }
      .map { value in
        Just(5).setFailureType(to: TestError.self)
          .map { $0 &+ value }
      }
      .switchToLatest()
      .eraseToAnyPublisher()
  case 116:
    return
      subject0
      .tryMap { try reject($0, multiplesOf: 3) }
      .map { $0.isMultiple(of: 2) ? nil : $0 }.replaceNil(with: 9)
      .map { $0 &+ 1 }.mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 117:
    return
      subject0
      .tryFilter { try reject($0, multiplesOf: 4) > 2 }
      .removeDuplicates().mapError { $0 as! TestError }
      .eraseToAnyPublisher()
  case 118:
    return
      Record<Int, TestError>(output: [1, 6], completion: .finished)
      .handleEvents(receiveOutput: { _ in })
      .tryAllSatisfy { try reject($0, multiplesOf: 3) < 4 }.map { $0 ? 1 : 0 }.mapError {
        $0 as! TestError
      }
      .eraseToAnyPublisher()
  case 119:
    return
      Int?(nil).publisher
      .append(2, 0)
      .drop { $0 < 2 }.setFailureType(to: TestError.self)
      .eraseToAnyPublisher()
  default:
    return nil
  }
}
