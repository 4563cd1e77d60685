import StreamsTesting
import Testing
