print("server-trial: not written yet")
