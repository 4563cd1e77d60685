#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "TestWidth.h"

// Swift Testing starts all tests at once. Then its thread that waits for exit tests keeps a core busy,
// because an ended one is only collected when its own test's turn comes. So this limits how many tests
// run at once, before the runner reads its environment. A value from outside stays.
__attribute__((constructor)) static void limit_tests(void) {
  char width[16];
  snprintf(width, sizeof width, "%ld", 4 * sysconf(_SC_NPROCESSORS_ONLN));
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
}
