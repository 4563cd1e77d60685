print("server-load: not written yet")
