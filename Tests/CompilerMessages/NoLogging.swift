import os.log
