import { describe, expect, it } from "vitest";
import { findFailures } from "../../src/failures/find-failures.js";

const containing = (text: string): string => expect.stringContaining(text);

/** Outputs of compilers, checkers and package managers that cannot be run wherever the tests are, and what they say is wrong. */
const outputs: [name: string, output: string, failures: object[]][] = [
  [
    "dotnet build",
    `  Determining projects to restore...
/project/src/Cart.cs(12,20): error CS0103: The name 'summ' does not exist in the current context [/project/src/Shop.csproj]
/project/src/Shop.csproj : error NU1101: Unable to find package Basket. No packages exist with this id in source(s): nuget.org

Build FAILED.

/project/src/Cart.cs(12,20): error CS0103: The name 'summ' does not exist in the current context [/project/src/Shop.csproj]
    0 Warning(s)
    2 Error(s)
`,
    [
      {
        code: "CS0103",
        file: "/project/src/Cart.cs",
        line: 12,
        message: "The name 'summ' does not exist in the current context",
      },
      { code: "NU1101", file: "/project/src/Shop.csproj" },
    ],
  ],
  [
    "MSBuild without a project",
    "MSBUILD : error MSB1003: Specify a project or solution file. The current working directory does not contain one.\n",
    [{ code: "MSB1003", message: containing("Specify a project") }],
  ],
  [
    "next build",
    `   ▲ Next.js 15.1.0

   Creating an optimized production build ...
Failed to compile.

./app/cart/page.tsx:5:9
Type error: Type 'string' is not assignable to type 'number'.

  3 | export default function Page() {
> 5 |   const total: number = "1";
    |         ^

./app/page.tsx
Module not found: Can't resolve './missing'

./app/layout.tsx
9:3  Warning: Do not use <img>.  @next/next/no-img-element
12:7  Error: 'total' is assigned a value but never used.  @typescript-eslint/no-unused-vars

info  - Need to disable some ESLint rules?
`,
    [
      { file: "app/cart/page.tsx", line: 5, message: containing("Type error: Type 'string'") },
      { file: "app/page.tsx", message: "Module not found: Can't resolve './missing'" },
      { file: "app/layout.tsx", line: 12, code: "@typescript-eslint/no-unused-vars" },
    ],
  ],
  [
    "Docusaurus",
    `[ERROR] Error: Unable to build website for locale en.
  [cause]: Error: Docusaurus found broken links!

  Exhaustive list of all broken links found:
  - Broken link on source page path = /docs/intro:
     -> linking to ./missing (resolved as: /docs/missing)
`,
    [{ file: "/docs/intro", message: "Broken link: ./missing" }],
  ],
  [
    "Vale",
    `
 docs/intro.md
 3:14  error    Use 'because' instead of 'due to the fact that'.  Shop.Wordiness
 9:1   warning  'Easy' is subjective.                             Shop.Tone

✖ 1 error, 1 warning and 0 suggestions in 1 file.
`,
    [{ file: "docs/intro.md", line: 3, code: "Shop.Wordiness", message: containing("Use 'because'") }],
  ],
  [
    "kotlinc behind Gradle",
    `> Task :compileKotlin FAILED
e: file:///project/src/main/kotlin/Cart.kt:5:13 Unresolved reference: summ

FAILURE: Build failed with an exception.

* What went wrong:
Execution failed for task ':compileKotlin'.
> Compilation error. See log for more details
`,
    [{ file: "/project/src/main/kotlin/Cart.kt", line: 5, message: "Unresolved reference: summ" }],
  ],
  [
    "a newer Elixir",
    `Compiling 1 file (.ex)
    error: undefined variable "prices"
    │
  3 │     Enum.sum(prices)
    │              ^^^^^^
    │
    └─ lib/cart.ex:3:14: Cart.total/1

== Compilation error in file lib/cart.ex ==
** (CompileError) lib/cart.ex: cannot compile module Cart (errors have been logged)
`,
    [{ file: "lib/cart.ex", line: 3, message: 'undefined variable "prices"' }],
  ],
  [
    "golangci-lint",
    "pkg/cart.go:12:9: Error return value of `f.Close` is not checked (errcheck)\n\tf.Close()\n\t       ^\n",
    [
      {
        file: "pkg/cart.go",
        line: 12,
        code: "errcheck",
        message: "Error return value of `f.Close` is not checked",
      },
    ],
  ],
  [
    "pip",
    `Collecting flask
ERROR: Cannot install flask==3.0.0 and werkzeug==2.0.0 because these package versions have conflicting dependencies.

The conflict is caused by:
    The user requested werkzeug==2.0.0
    flask 3.0.0 depends on Werkzeug>=3.0.0

To fix this you could try to:
1. loosen the range of package versions you've specified

ERROR: ResolutionImpossible: for help visit https://pip.pypa.io/
`,
    [{ message: containing("flask 3.0.0 depends on Werkzeug>=3.0.0") }],
  ],
  [
    "poetry",
    `Resolving dependencies...

Because shop depends on flask (3.0.0) which depends on Werkzeug (>=3.0.0), werkzeug is required.
So, because shop depends on werkzeug (2.0.0), version solving failed.
`,
    [{ message: "because shop depends on werkzeug (2.0.0), version solving failed." }],
  ],
  [
    "uv",
    `  × No solution found when resolving dependencies:
  ╰─▶ Because flask==3.0.0 depends on werkzeug>=3.0.0 and you require flask==3.0.0,
      we can conclude that your requirements are unsatisfiable.
`,
    [{ message: containing("flask==3.0.0 depends on werkzeug>=3.0.0") }],
  ],
  [
    "Bundler",
    "Fetching gem metadata from https://rubygems.org/...\nCould not find gem 'basket (~> 9.0)' in rubygems repository https://rubygems.org/ or installed locally.\n",
    [{ message: containing("Could not find gem 'basket (~> 9.0)'") }],
  ],
  [
    "Composer",
    `Your requirements could not be resolved to an installable set of packages.

  Problem 1
    - Root composer.json requires php ^8.4 but your php version (8.2.7) does not satisfy that requirement.
`,
    [{ message: containing("requires php ^8.4 but your php version (8.2.7)") }],
  ],
  [
    "cargo's resolver",
    `    Updating crates.io index
error: failed to select a version for \`serde\`.
    ... required by package \`shop v0.1.0 (/project)\`
versions that meet the requirements \`=1.0.0\` are: 1.0.0

the package \`shop\` depends on \`serde\`, with features: \`nothing\` but \`serde\` does not have these features.
`,
    [{ message: containing("with features: `nothing`") }],
  ],
  [
    "CMake",
    `-- Detecting C compiler ABI info - done
CMake Error at CMakeLists.txt:12 (find_package):
  Could not find a package configuration file provided by "Basket" with any of
  the following names:

-- Configuring incomplete, errors occurred!
`,
    [{ file: "CMakeLists.txt", line: 12, message: containing('provided by "Basket"') }],
  ],
  [
    "Gradle, by the innermost reason",
    `* What went wrong:
Execution failed for task ':app:compileKotlin'.
> Could not resolve all files for configuration ':app:compileClasspath'.
   > Could not find com.acme:basket:9.1.0.
     Required by:
         project :app

* Try:
> Run with --stacktrace option to get the stack trace.

BUILD FAILED in 3s
`,
    [{ message: "Could not find com.acme:basket:9.1.0." }],
  ],
  [
    "black",
    "would reformat src/cart.py\n\nOh no!\n1 file would be reformatted, 14 files would be left unchanged.\n",
    [{ file: "src/cart.py", message: "not formatted" }],
  ],
  [
    "a gem that cannot be built",
    `Gem::Ext::BuildError: ERROR: Failed to build gem native extension.

    current directory: /gems/pg-1.5.4/ext
/usr/bin/ruby extconf.rb
checking for libpq-fe.h... no
Can't find the 'libpq-fe.h header
*** extconf.rb failed ***

An error occurred while installing pg (1.5.4), and Bundler cannot continue.
`,
    [{ message: containing("installing pg (1.5.4) (Can't find the 'libpq-fe.h header)") }],
  ],
];

describe("failures in the output of", () => {
  it.each(outputs)("%s", (_, output, failures) => {
    expect(findFailures(output)).toMatchObject(failures);
  });
});
