"""A short, fixed share of fuzz_bindings.py."""

import os
import subprocess
import sys

from support import FilesTest, SANITIZED


class FuzzTest(FilesTest):
    def test_random_calls_raise_or_return(self):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "fuzz_bindings.py")
        calls = "500" if SANITIZED else "1500"
        done = subprocess.run([sys.executable, script, "--calls", calls, "--store", self.store],
                              capture_output=True, text=True, timeout=250)
        self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])
