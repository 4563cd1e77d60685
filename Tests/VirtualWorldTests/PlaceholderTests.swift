import VirtualWorld
import Testing
