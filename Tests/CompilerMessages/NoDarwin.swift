import Darwin
