"""The examples of docs/python.md and of the package, and the scripts under python/examples."""

import doctest
import importlib.util
import os
import shutil
import subprocess
import sys
import unittest

import solis
from support import FilesTest, SANITIZED, SOURCE, run_solis

EXAMPLES = os.path.join(SOURCE, "python", "examples")


class DocsTest(FilesTest):
    def run_example(self, name, *arguments):
        done = subprocess.run([sys.executable, os.path.join(EXAMPLES, name), *arguments],
                              capture_output=True, text=True, timeout=250)
        self.assertEqual(done.returncode, 0, done.stderr[-3000:])
        return done.stdout

    def test_the_guide_is_true(self):
        shutil.copy(self.store, os.path.join(self.folder, "labels.sgt"))
        before = os.getcwd()
        os.chdir(self.folder)
        try:
            failed, tried = doctest.testfile(os.path.join(SOURCE, "docs", "python.md"), False)
        finally:
            os.chdir(before)
        self.assertEqual(failed, 0)
        self.assertGreater(tried, 25)
        self.assertEqual(doctest.testmod(solis).failed, 0)

    def test_types_name_everything_that_is_there(self):
        with open(os.path.join(os.path.dirname(solis.__file__), "__init__.pyi")) as file:
            types = file.read()
        compile(types, "__init__.pyi", "exec")
        for name in solis.__all__:
            thing = getattr(solis, name)
            self.assertTrue(thing.__doc__, name)
            self.assertRegex(types, rf"(class|def) {name}\b")
            if isinstance(thing, type) and not issubclass(thing, Exception):
                part = types.split(f"class {name}:")[1].split("\nclass ")[0]
                for member in vars(thing):
                    if not member.startswith("_"):
                        self.assertIn(f"def {member}(", part, f"{name}.{member}")

    def test_rank_correlation(self):
        done = run_solis("axis", "--keep-axis", "--model", os.path.join(SOURCE, "models", "default.safetensors"),
                         "--data", self.store, "--out", os.path.join(self.folder, "a.safetensors"))
        if done.returncode == 0:  # where the split holds enough decided positions
            spearman = float(done.stdout.split("Spearman")[1].split()[0])
            text = self.run_example("rank_correlation.py", self.store)
            self.assertAlmostEqual(float(text.split()[-1]), spearman, 2)
        else:
            self.assertIn("Spearman", self.run_example("rank_correlation.py", self.store))

    def test_order_within_trees(self):
        text = self.run_example("tree_order.py", self.store, "200")
        self.assertRegex(text, r"^embedded: order within trees 0\.\d{4}, rms 0\.\d{4}, \d+ positions of \d+ groups")
        self.assertGreater(float(text.split("trees ")[1].split(",")[0]), 0.3)

    @unittest.skipIf(SANITIZED or importlib.util.find_spec("torch") is None, "needs python3-torch")
    def test_an_encoder_trained_with_torch_plays(self):
        out = os.path.join(self.folder, "mine")
        self.run_example("train_torch.py", self.store, "--out", out, "--steps", "60", "--batch", "256")
        for arguments in [
            ["model", "import", out + ".weights.safetensors", "--features", "threats", "--out",
             out + ".encoder.safetensors"],
            ["axis", "--model", out + ".encoder.safetensors", "--data", self.store, "--whole",
             "--out", out + ".safetensors"],
        ]:
            done = run_solis(*arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
        model = solis.load(out + ".safetensors")
        self.assertEqual((model.encoder, model.dims), ("swift", 32))
        self.assertTrue(solis.plan("startpos", nodes=1000, model=model).best)


if __name__ == "__main__":
    unittest.main()
