import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFailures, readFailedOutput } from "../../src/failures/find-failures.js";
import { clipOutput } from "../../src/text/secrets/clip-output.js";
import { growsLinearly } from "../support/grows-linearly.js";

const folder = join(import.meta.dirname, "../fixtures/tool-output");
const fixture = (name: string) => readFileSync(join(folder, `${name}.txt`), "utf8");
const containing = (text: string): string => expect.stringContaining(text);

/** Outputs of the real tools, and the first thing that each of them says is wrong. */
const firstFailures: Record<string, object> = {
  // test runners for JavaScript
  vitest: { test: "sum > adds two numbers", file: "sum.test.ts", line: 2 },
  "vitest-many": { test: "hooked", file: "cart.test.ts", line: 22, message: "Error: no database" },
  "vitest-colours": { test: "hooked", file: "cart.test.ts", line: 22, message: "Error: no database" },
  "vitest-suite-and-unhandled": {
    file: "broken.test.ts",
    line: 1,
    message: containing("Cannot find module"),
  },
  "vitest-unhandled": { file: "unhandled.test.ts", line: 2, message: "Error: nobody waits for me" },
  "vitest-causes": { test: "orders", message: "Error: connect ECONNREFUSED 127.0.0.1:1" },
  "vitest-tap": { test: "cart > adds prices", file: "/project/vt/cart.test.ts", line: 7 },
  jest: {
    test: "cart › applies a discount",
    file: "test/cart.test.js",
    line: 4,
    message: "expected 8, received 2",
  },
  "jest-many": {
    test: "cart › adds prices",
    file: "cart.test.js",
    line: 8,
    message: "expected 2, received 1",
  },
  "jest-causes": { test: "orders › are listed", message: "connect ECONNREFUSED 127.0.0.1:1" },
  "jest-suite": { file: "broken.test.js", line: 1, message: containing("Cannot find module './nothing'") },
  "jest-syntax": { file: "syntax.test.js", line: 2, message: containing("Unexpected token (2:12)") },
  mocha: { test: "cart > adds prices", file: "mt/cart.js", line: 7, message: containing("equal: 1 !== 2") },
  "node-test": { test: "cart > adds prices", file: "/project/nt/cart.test.mjs", line: 6 },
  "node-test-tap-broken": { file: "/project/nt/broken.test.mjs", message: containing("Cannot find module") },
  "node-test-spec": { test: "cart > adds prices", file: "/project/nt/cart.test.mjs", line: 6 },
  "node-test-spec-broken": { file: "nt/broken.test.mjs", message: containing("Cannot find module") },
  playwright: {
    tool: "playwright",
    test: "cart > adds prices",
    file: "e2e/cart.spec.ts",
    line: 4,
    message: "Error: expect(received).toBe(expected) (expected 3, received 2)",
  },
  "playwright-no-tests": { message: "No tests found." },
  // test runners for Python
  pytest: { test: "test_total", file: "test_cart.py", line: 3, message: "AssertionError: assert 1 == 2" },
  "pytest-causes": {
    test: "test_lists",
    message:
      "test_db.StoreError: the store cannot be opened (ConnectionRefusedError: [Errno 111] Connection refused)",
  },
  "pytest-long": { test: "test_saved", file: "test_cart.py", line: 9, message: containing("no database") },
  "pytest-short": { test: "test_saved", file: "test_cart.py", line: 9, message: containing("no database") },
  "pytest-line": { test: "test_saved", file: "test_cart.py", message: containing("no database") },
  "pytest-no-traceback": { test: "TestCart::test_total", message: "AssertionError: assert 1 == 2" },
  "pytest-no-summary": { test: "test_saved", file: "test_cart.py", line: 9 },
  "pytest-native-colours": { test: "test_saved", file: "/project/pt/test_cart.py", line: 9 },
  "pytest-collection": {
    file: "test_import.py",
    line: 1,
    message: "ModuleNotFoundError: No module named 'basket'",
  },
  "pytest-no-file": { message: "file or directory not found: no_such_test.py" },
  unittest: { test: "test_unit.CartTest.test_error", file: "/project/cart.py", line: 12 },
  "unittest-import": { message: "ModuleNotFoundError: No module named 'test_nothing'" },
  // test runners for Go, Rust and Java
  "go-test": { test: "TestTotal", file: "a_test.go", line: 10, message: "Total(1) = 1, want 2" },
  "go-test-verbose": { test: "TestTotal", file: "a_test.go", line: 10, message: "Total(1) = 1, want 2" },
  "go-test-build-failed": { file: "b/b.go", line: 3, message: 'imported and not used: "os"' },
  "go-test-panic": { test: "TestFirst", code: "panic", file: "/project/c/c_test.go", line: 7 },
  "go-test-timeout": {
    test: "TestSlow",
    file: "/project/f/f_test.go",
    line: 8,
    message: "test timed out after 1s",
  },
  "cargo-test": { test: "tests::adds", file: "src/main.rs", line: 2 },
  "cargo-test-many": { test: "tests::reads", message: 'Error: "no cart"' },
  "maven-test": {
    test: "shop.CartTest.namesTheCart",
    file: "CartTest.java",
    line: 15,
    message: containing("a cart"),
  },
  "gradle-test": { test: "shop.CartTest.namesTheCart", file: "CartTest.java", line: 15 },
  // test runners for Ruby, PHP and Elixir
  rspec: { test: "Cart adds prices", file: "spec/cart_spec.rb", line: 8, message: "expected 3, got 2" },
  "rspec-load": {
    file: "spec/broken_spec.rb",
    line: 1,
    message: "LoadError: cannot load such file -- basket",
  },
  minitest: { test: "CartTest#test_total", file: "test/cart_test.rb", line: 4, message: "expected 3, got 2" },
  phpunit: {
    test: "CartTest::testLoads",
    file: "/project/tests/CartTest.php",
    line: 5,
    message: "RuntimeException: connection refused by 127.0.0.1:5432",
  },
  "elixir-test": {
    test: "test adds prices (CartTest)",
    file: "test/cart_test.exs",
    line: 4,
    message: "Assertion with == failed (left 2, right 3)",
  },
  // compilers
  tsc: { code: "TS2322", file: "bad.ts", line: 2 },
  "tsc-many": { code: "TS2322", file: "cart.ts", line: 2 },
  "tsc-pretty": { code: "TS2322", file: "cart.ts", line: 2, message: containing("Type 'number'") },
  "tsc-global": { code: "TS2688", message: containing("Cannot find type definition file") },
  "tsc-no-project": { code: "TS5058" },
  "cargo-build": { code: "E0425", file: "src/main.rs", line: 1 },
  "cargo-build-short": { code: "E0308", file: "src/main.rs", line: 2 },
  "cargo-build-syntax": { file: "src/main.rs", line: 5, message: "expected `;`, found `foo`" },
  "cargo-no-bin": { message: containing("no bin target named") },
  "cargo-no-crate": { message: containing("no matching package named") },
  "go-build": { file: "b/b.go", line: 3 },
  "go-vet": { file: "b/b.go", line: 6 },
  "go-no-package": { message: containing("directory not found") },
  gcc: { file: "main.c", line: 2, message: containing("‘conut’ undeclared") },
  "gcc-werror": { code: "-Werror=unused-variable", file: "ok.c", line: 1 },
  "gcc-no-header": { file: "noheader.c", line: 1, message: "nothing.h: No such file or directory" },
  "gcc-no-file": { message: "nosuch.c: No such file or directory" },
  "gcc-no-library": { message: containing("cannot find -lnothing") },
  "gcc-linker-debug": { file: "/project/main.c", line: 4, message: "undefined reference to `total'" },
  "g++": { file: "bad.cpp", line: 8 },
  clang: { file: "bad.c", line: 2 },
  "clang++": { file: "bad.cpp", line: 8, message: "use of undeclared identifier 'conut'" },
  "clang-linker": { file: "main.c", message: "undefined reference to `total'" },
  "clang-lld": { message: "undefined symbol: total" },
  "make-compile": { file: "bad.c", line: 3 },
  "make-linker": { file: "main.c", message: "undefined reference to `total'" },
  "make-exit": { file: "Makefile", line: 9, message: "[Makefile:9: false] Error 3" },
  "make-no-rule": { message: containing("No rule to make target 'nothing.c'") },
  "make-no-target": { message: containing("No rule to make target 'nosuch'") },
  javac: { file: "Main.java", line: 1, message: containing("incompatible types") },
  "javac-warning-first": { file: "Old.java", line: 7, message: "cannot find symbol" },
  "maven-compile": { file: "/project/src/main/java/shop/Cart.java", line: 5 },
  "gradle-compile": { file: "/project/src/main/java/shop/Cart.java", line: 5 },
  "elixir-compile": { code: "CompileError", file: "lib/cart.ex", line: 2, message: containing("summ/1") },
  // bundlers
  webpack: { file: "src/index.js", line: 1, message: containing("Can't resolve './missing'") },
  "webpack-syntax": { file: "src/syntax.js", line: 1, message: containing("Unexpected token") },
  vite: { file: "/project/src/index.js", message: 'Could not resolve "./missing" from "src/index.js"' },
  rollup: { file: "src/index.js", message: 'Could not resolve "./missing" from "src/index.js"' },
  "rollup-named": { file: "src/named.js", line: 1, message: containing('"total" is not exported') },
  "rollup-syntax": { file: "src/syntax.js", line: 1, message: "Expression expected" },
  esbuild: { file: "src/index.js", line: 1, message: 'Could not resolve "./missing"' },
  "size-limit": { file: "src/lib.js", message: "Package size limit has exceeded by 16 B (limit 10 B)" },
  // linters
  eslint: { code: "no-unused-vars", file: "/project/src/cart.js", line: 2 },
  "eslint-colours": { file: "/project/el/bad.js", line: 1, message: "Parsing error: Unexpected token ;" },
  "eslint-unix": { file: "/project/el/bad.js", line: 1, message: "Parsing error: Unexpected token ;" },
  "eslint-compact": { file: "/project/el/bad.js", line: 1, message: "Parsing error: Unexpected token ;" },
  "eslint-max-warnings": { code: "no-console", file: "/project/el/warn.js", line: 1 },
  biome: { code: "lint/suspicious/noAssignInExpressions", file: "cart.js", line: 4 },
  "biome-error-on-warnings": { code: "lint/correctness/noUnusedVariables", file: "warn.js", line: 2 },
  "biome-format": { code: "format", file: "warn.js" },
  "biome-github": { code: "lint/suspicious/noAssignInExpressions", file: "/project/bi/cart.js", line: 4 },
  "biome-parse": { code: "parse", file: "bad.js", line: 1 },
  "cargo-clippy": { code: "clippy::needless_return", file: "src/lib.rs", line: 6 },
  flake8: { code: "F401", file: "lib.py", line: 1, message: "'json' imported but unused" },
  mypy: { code: "return-value", file: "lib.py", line: 8, message: containing("Incompatible return value") },
  "mypy-columns": { code: "no-untyped-def", file: "cart.py", line: 4 },
  "mypy-pretty": { file: "lib.py", line: 8 },
  ruff: { code: "I001", file: "lib.py", line: 1, message: "Import block is un-sorted or un-formatted" },
  "ruff-concise": { code: "I001", file: "lib.py", line: 1 },
  "ruff-format": { code: "unformatted", file: "lib.py", line: 4 },
  "ruff-syntax": { code: "invalid-syntax", file: "bad.py", line: 1 },
  rubocop: {
    code: "Style/Documentation",
    file: "lib/cart.rb",
    line: 1,
    message: containing("Missing top-level"),
  },
  shellcheck: { code: "SC2086", file: "deploy.sh", line: 3, message: containing("Double quote") },
  "shellcheck-gcc": { code: "SC2086", file: "deploy.sh", line: 3, message: containing("Double quote") },
  stylelint: { code: "property-no-unknown", file: "a.css", line: 1, message: 'Unknown property "colr"' },
  prettier: { file: "src/syntax.js", line: 1, message: "SyntaxError: Unexpected token" },
  markdownlint: { code: "MD040", file: "docs/index.md", line: 3, message: containing("Fenced code blocks") },
  cspell: { file: "docs/index.md", line: 7, message: "Unknown word (waybilll)" },
  vitepress: { file: "index.md", message: "Found dead link ./errors" },
  // stack traces
  "node-stack": { code: "TypeError", message: containing("reading 'name'") },
  "node-module": { code: "MODULE_NOT_FOUND", message: "Cannot find module 'left-pad-not-here'" },
  "node-assert": {
    code: "AssertionError",
    file: "/project/st/assert.cjs",
    line: 3,
    message: containing("1 !== 2"),
  },
  "node-cause": { file: "/project/st/cause.cjs", line: 3, message: "cannot load (the socket closed)" },
  "node-custom": {
    code: "PaymentFailure",
    file: "/project/st/custom.cjs",
    line: 3,
    message: "card declined",
  },
  "node-enoent": { code: "ENOENT", file: "/project/st/enoent.cjs", line: 1 },
  "node-esm-async": { code: "TypeError", file: "/project/cart.mjs", line: 6 },
  "node-esm-module": { code: "ERR_MODULE_NOT_FOUND", file: "/project/nt/broken.test.mjs" },
  "node-fetch": { message: "fetch failed (connect ECONNREFUSED 127.0.0.1:9999)" },
  "node-inuse": { code: "EADDRINUSE", file: "/project/st/inuse.cjs", line: 2 },
  "node-lib": { code: "RangeError", file: "/project/st/lib.cjs", line: 3 },
  "node-missing-export": { code: "SyntaxError", file: "/project/st/export.mjs", line: 1 },
  "node-refused": { code: "ECONNREFUSED", message: "connect ECONNREFUSED 127.0.0.1:1" },
  "node-reject": { code: "UnhandledPromiseRejection" },
  "node-syntax": { code: "SyntaxError", file: "/project/st/syntax.cjs", line: 1 },
  "python-chained": {
    code: "RuntimeError",
    file: "/project/cart.py",
    line: 12,
    message: "the cart cannot be read",
  },
  "python-during-handling": { code: "ValueError", file: "/project/handled.py", line: 5 },
  "python-library-frames": { code: "JSONDecodeError" },
  "python-module": { code: "ModuleNotFoundError", message: "No module named 'nothing_here'" },
  "python-refused": { code: "ConnectionRefusedError", message: "[Errno 111] Connection refused" },
  "python-syntax": { code: "SyntaxError", file: "/project/bad.py", line: 1 },
  "ruby-exception": { code: "ArgumentError", file: "broken.rb", line: 2, message: "no cart named mine" },
  "php-fatal": {
    code: "Error",
    file: "/project/broken.php",
    line: 2,
    message: "Call to undefined function summ()",
  },
  "php-parse": {
    file: "/project/syntax.php",
    line: 2,
    message: containing("syntax error, unexpected token"),
  },
  "java-stack": { code: "IllegalStateException", file: "Main.java", line: 12, message: "the cart is empty" },
  "go-panic": { code: "panic", file: "/project/d/main.go", line: 5 },
  "rust-panic": { code: "panic", file: "src/main.rs", line: 5, message: "a cart" },
  "rust-panic-backtrace": { code: "panic", file: "src/main.rs", line: 5, message: "a cart" },
  "c-assert": { file: "as.c", line: 2, message: "Assertion `1 == 2' failed" },
  segfault: { message: "Segmentation fault" },
  // shells, packages, networks
  "command-not-found": { message: "kubectll: not found" },
  "bash-not-found": { message: "kubectll: command not found" },
  "bash-script-not-found": { file: "deploy.sh", line: 2, message: "kubectll: command not found" },
  "sh-script-not-found": { file: "deploy.sh", line: 2, message: "kubectll: not found" },
  "zsh-not-found": { message: "command not found: kubectll" },
  "zsh-script-not-found": { file: "deploy.sh", line: 2, message: "command not found: kubectll" },
  "bash-no-file": { message: "./nothing.sh: No such file or directory" },
  "sh-no-file": { message: "./nothing.sh: not found" },
  "zsh-no-file": { message: "no such file or directory: ./nothing.sh" },
  "bash-permission": { message: "./x.sh: Permission denied" },
  "bash-syntax": { file: "syn.sh", line: 3, message: "syntax error: unexpected end of file" },
  "bash-unbound": { file: "unset.sh", line: 1, message: "UNSET_THING: unbound variable" },
  "cat-no-file": { message: "cat: nothing.txt: No such file or directory" },
  "permission-cat": { message: "cat: /etc/shadow: Permission denied" },
  "permission-node": { message: containing("cannot create directory") },
  "timeout-verbose": { message: containing("sending signal TERM") },
  "curl-refused": { message: containing("Failed to connect") },
  "docker-build": { message: containing("Dockerfile: no such file or directory") },
  "docker-daemon": { message: containing("Cannot connect to the Docker daemon") },
  "git-not-repo": { message: containing("not a git repository") },
  "git-pathspec": { message: containing("pathspec 'nothing' did not match") },
  "npm-missing-script": { message: 'Missing script: "build"' },
  "npm-script-not-found": { message: "eslintt: not found" },
  "npm-ci-no-lock": { code: "EUSAGE", message: containing("can only install with an existing package-lock") },
  "npm-e404": { code: "E404", message: containing("Not Found - GET") },
  "npm-enoent": { code: "ENOENT", message: containing("Could not read package.json") },
  "npm-eresolve": {
    code: "ERESOLVE",
    message:
      'unable to resolve dependency tree (peer react@"^18.2.0" from react-dom@18.2.0, found react@16.0.0)',
  },
  "npm-etarget": { code: "ETARGET", message: "No matching version found for left-pad@99.0.0." },
  "npm-json": { code: "EJSONPARSE", message: containing("Invalid package.json") },
  "pnpm-404": { code: "ERR_PNPM_FETCH_404", message: containing("Not Found - 404") },
  "pnpm-missing-script": { code: "ERR_PNPM_NO_SCRIPT", message: "Missing script: build" },
  "pnpm-not-found": { message: "eslintt: not found" },
  "yarn-exit": { message: "Command failed with exit code 3" },
  "yarn-missing-script": { message: 'Command "build" not found.' },
  "yarn-not-found": { message: "eslintt: not found" },
  // machines
  ansible: { message: "cat: /nowhere/settings.yml: No such file or directory (task Read the settings)" },
  "ansible-no-file": { message: "the playbook: nothing.yml could not be found" },
  // several commands after each other
  "check-all-terminal": { code: "TS2322", file: "src/types.ts", line: 1 },
  "check-stops-at-tsc": { code: "TS2322", file: "src/types.ts", line: 1 },
  "check-stops-at-vitest": { test: "hooked", file: "src/cart.test.ts", line: 22 },
};

const names = readdirSync(folder).map((name) => name.replace(/\.txt$/, ""));
const contentNames = names.filter(
  (name) => /-(?:passing|warnings(?:-only)?)$/.test(name) && !(name in firstFailures),
);

describe("failures in a tool's output", () => {
  it.each(Object.entries(firstFailures))("of %s begin with the first real one", (name, expected) => {
    expect(findFailures(fixture(name))[0]).toMatchObject(expected);
  });

  it.each(contentNames)("are none in %s, whatever words it prints", (name) => {
    expect(findFailures(fixture(name))).toEqual([]);
  });

  it("are known for every output that is kept here", () => {
    expect([...Object.keys(firstFailures), ...contentNames].toSorted()).toEqual(names.toSorted());
  });

  it.each([
    ["pytest", ["test_total", "test_missing_key"]],
    ["pytest-line", ["test_saved", "TestCart::test_total", "TestCart::test_amounts[2]", "test_load"]],
    ["go-test", ["TestTotal", "TestTable/full_cart"]],
    ["cargo-test-many", ["tests::reads", "tests::adds", "tests::refuses", "tests::unwraps"]],
    ["rspec", ["adds prices", "finds its items", "with a server loads"].map((name) => `Cart ${name}`)],
    ["playwright", ["adds prices", "opens the page", "loads", "is slow"].map((name) => `cart > ${name}`)],
    ["mocha", ["adds prices", "throws", "waits", "when empty > compares"].map((name) => `cart > ${name}`)],
    ["node-test-spec", ["cart > adds prices", "cart > loads", "cart > waits", "top level"]],
    ["unittest", ["test_error", "test_sub (n=2)", "test_total"].map((name) => `test_unit.CartTest.${name}`)],
  ])("of %s are all found, in order", (name, tests) => {
    const found = findFailures(fixture(name)).map(({ test }) => test);
    expect(found.slice(0, tests.length)).toEqual(tests);
  });

  it("of gcc leave out its warnings and notes", () => {
    expect(findFailures(fixture("gcc"))).toHaveLength(2);
  });

  it.each([
    [
      "vitest-causes",
      [
        "Error: connect ECONNREFUSED 127.0.0.1:1",
        "Error: cannot load the cart (Error: connect ECONNREFUSED 127.0.0.1:1)",
        "Error: connect ECONNREFUSED ::1:5433",
        "Error: connect ECONNREFUSED 127.0.0.1:5433",
      ],
    ],
    [
      "jest-causes",
      [
        "connect ECONNREFUSED 127.0.0.1:1",
        "connect ECONNREFUSED 127.0.0.1:1",
        "cannot load the cart (connect ECONNREFUSED 127.0.0.1:1)",
        "AggregateError: connect ECONNREFUSED ::1:5433",
      ],
    ],
  ])("of %s have the error below them", (name, messages) => {
    expect(findFailures(fixture(name)).map(({ message }) => message)).toEqual(messages);
  });

  it("are said once, even where the tool repeats them", () => {
    expect(findFailures(fixture("maven-compile"))).toHaveLength(1);
    expect(findFailures(`${fixture("jest")}\nSummary of all failing tests\n${fixture("jest")}`)).toHaveLength(
      1,
    );
  });

  it("come in the order of the commands that were run", () => {
    const output = [fixture("eslint"), fixture("vitest-passing"), fixture("cargo-test"), fixture("tsc")].join(
      "\n",
    );
    expect(findFailures(output).map(({ test, code }) => test ?? code)).toEqual([
      "no-unused-vars",
      "tests::adds",
      "TS2322",
      "TS2339",
    ]);
  });

  it("above tests that passed still count", () => {
    const output = `${fixture("npm-script-not-found")}\n${fixture("vitest-passing")}`;
    expect(findFailures(output)).toEqual([{ message: "eslintt: not found" }]);
  });

  it("behind tests that passed still count", () => {
    const output = `${fixture("vitest-passing")}\n${fixture("node-lib")}`;
    expect(findFailures(output)).toMatchObject([{ code: "RangeError", line: 3 }]);
  });

  it.each(["gcc", "jest-many", "vitest-colours", "python-chained", "maven-test"])(
    "of %s are the same with the line ends of Windows",
    (name) => {
      const text = fixture(name);
      expect(findFailures(text.replaceAll("\n", "\r\n"))).toEqual(findFailures(text));
    },
  );

  it("of a clipped output do not borrow a place from behind the gap", () => {
    const text = `${fixture("vitest-many")}${"passing noise\n".repeat(8000)}${fixture("node-lib")}`;
    const clipped = clipOutput(text);
    expect(clipped.length).toBeLessThan(text.length);
    expect(findFailures(clipped)[0]).toMatchObject({ test: "hooked", line: 22 });
    const [cut] = findFailures(
      " FAIL  a.test.ts > adds\n[… 9 of 99 characters left out …]\n ❯ b.test.ts:7:1\n",
    );
    expect(cut).toEqual({ tool: "vitest", test: "adds", file: "a.test.ts", message: "failed" });
  });

  it("of a run that was cut before its summary are at least named", () => {
    expect(findFailures(" ❯ a.test.ts (2 tests | 1 failed) 10ms\n     × adds two numbers 8ms\n")).toEqual([
      { test: "adds two numbers", message: "failed" },
    ]);
  });

  it("of one cause are told for each of its tests", () => {
    const output = " FAIL  a.test.ts > one\n FAIL  a.test.ts > two\nError: no port\n ❯ setup.ts:3:1\n";
    expect(findFailures(output)).toEqual(
      ["one", "two"].map((test) => ({
        tool: "vitest",
        test,
        file: "setup.ts",
        line: 3,
        message: "Error: no port",
      })),
    );
  });

  it("are looked for in any mixture of lines without an accident", () => {
    const lines = names.flatMap((name) => fixture(name).split("\n"));
    const line = fc
      .tuple(fc.nat(9), fc.constantFrom(...lines))
      .map(([indent, text]) => " ".repeat(indent) + text);
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom(...lines), line), { maxLength: 60 }), (mixed) => {
        for (const { message } of findFailures(mixed.join("\n"))) expect(message).not.toBe("");
      }),
      { numRuns: 300 },
    );
  });

  it("include a command that an agent stopped for its time", () => {
    expect(findFailures("Command timed out after 2m 0.0s")).toHaveLength(1);
    expect(findFailures("Error: The command timed out")).toHaveLength(1);
  });

  it("are none in the output of a tool that is content", () => {
    expect(findFailures("Tests: 12 passed, 12 total\nDone in 3 s.\n")).toEqual([]);
  });
});

describe("the time to find failures", () => {
  const repeated = (unit: string, length: number) => {
    // lines of a usual length, so that their number grows with the text
    const part = unit.length > 1 && unit.endsWith("\n") ? `${unit}${"a".repeat(60)}\n` : unit;
    return part.repeat(Math.ceil(length / part.length));
  };

  it.each([
    "a",
    " ",
    "1",
    "\r",
    "\n",
    "a:1:1 ",
    "(a ",
    "_ ",
    "\u001b[1",
    "    at x (y:1:1)\n",
    "Error: a\n    at x (y:1:1)\n",
    " FAIL  a.ts > b\n",
    "FAIL a.js\n  ● a › b\n",
    "FAILED a.py::b - c\n",
    '  File "a", line 1\n',
    "a.js\n  1:1  error  a   b\n",
    "test at a:1:1\n✖ a (1ms)\n",
    "--- FAIL: TestA (0.00s)\n    a.go:1: b\n",
    "ok  \ta\n",
    "#12 1.0 a\n",
    "web-1  | a\n",
    "a\tb\t",
    "│ Error: a\n│ b\n",
    "  1) a.ts:1:1 › b\n    Error: a\n",
    "Because a depends on b\n",
    "ERROR in a.js\nb\n",
    '"a" exited ',
    "error failed cannot ",
  ])("grows no faster than an output that repeats %j", (unit) => {
    // An empty line costs as much as another one.
    const length = unit.trim() === "" && unit !== " " ? 100_000 : 1_000_000;
    expect(growsLinearly((part) => readFailedOutput(repeated(unit, part)), length)).toBe(true);
  });
});
