import Foundation

func load(with session: URLSession) {}
