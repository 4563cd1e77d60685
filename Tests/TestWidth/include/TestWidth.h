// Nothing calls anything here: linking it is enough.
