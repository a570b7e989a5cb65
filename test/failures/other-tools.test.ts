import { describe, expect, it } from "vitest";
import { findFailures } from "../../src/failures/find-failures.js";

const containing = (text: string): string => expect.stringContaining(text);

/** Outputs of tools that cannot be run wherever the tests are, and what they say is wrong. */
const outputs: [name: string, output: string, failures: object[]][] = [
  [
    "a Playwright test that waits for an element",
    `Running 2 tests using 1 worker

  1) [webkit] › tests/login.spec.ts:8:1 › shows the dashboard ──────────────────────────────

    Error: expect(locator).toBeVisible() failed

    Locator:  getByRole('heading', { name: 'Dashboard' })
    Expected: visible
    Received: <element(s) not found>
    Timeout:  5000ms

    Call log:
      - Expect "toBeVisible" with timeout 5000ms
      - waiting for getByRole('heading', { name: 'Dashboard' })

      10 |   await page.click('text=Sign in');
    > 11 |   await expect(page.getByRole('heading', { name: 'Dashboard' })).toBeVisible();
         |                                                                  ^
      12 | });
        at /project/tests/login.spec.ts:11:66

    Retry #1 ───────────────────────────────────────────────────────────────────────────────

    Error: page.goto: net::ERR_CONNECTION_REFUSED at http://localhost:3000/

  2) [webkit] › tests/login.spec.ts:15:1 › signs out ───────────────────────────────────────

    Test timeout of 30000ms exceeded.

    Error: locator.click: Test timeout of 30000ms exceeded.
    Call log:
      - waiting for getByText('Sign out')

        at /project/tests/login.spec.ts:17:36

  2 failed
    [webkit] › tests/login.spec.ts:8:1 › shows the dashboard ───────────────────────────────
    [webkit] › tests/login.spec.ts:15:1 › signs out ────────────────────────────────────────
`,
    [
      {
        test: "shows the dashboard",
        file: "tests/login.spec.ts",
        line: 11,
        message:
          "Error: expect(locator).toBeVisible() failed (getByRole('heading', { name: 'Dashboard' }), expected visible, received <element(s) not found>)",
      },
      {
        test: "signs out",
        line: 17,
        message: "Error: locator.click: Test timeout of 30000ms exceeded. (getByText('Sign out'))",
      },
    ],
  ],
  [
    "Playwright's server that did not start",
    `[WebServer] Error: listen EADDRINUSE: address already in use :::4173

Error: Process from config.webServer was not able to start. Exit code: 1
`,
    [{ message: containing("listen EADDRINUSE") }],
  ],
  [
    "Cypress",
    `  Running:  login.cy.ts                                                      (1 of 1)


  login
    1) shows the dashboard
    ✓ signs out (120ms)


  1 passing (5s)
  1 failing

  1) login
       shows the dashboard:
     AssertionError: Timed out retrying after 4000ms: Expected to find element: \`.dash\`, but never found it.
      at Context.eval (webpack://shop/./cypress/e2e/login.cy.ts:8:7)


  (Results)
`,
    [
      {
        test: "login > shows the dashboard",
        file: "cypress/e2e/login.cy.ts",
        line: 8,
        message: containing("Expected to find element: `.dash`"),
      },
    ],
  ],
  [
    "Pest",
    `   FAIL  Tests\\Unit\\CartTest
  ⨯ it adds prices                                                          0.02s
  ────────────────────────────────────────────────────────────────────────────────
   FAILED  Tests\\Unit\\CartTest > it adds prices
  Failed asserting that 2 is identical to 3.

  at tests/Unit/CartTest.php:6
      2▕
      3▕ it('adds prices', function () {
  ➜   6▕     expect(array_sum([1, 1]))->toBe(3);
      7▕ });

  ────────────────────────────────────────────────────────────────────────────────
   FAILED  Tests\\Feature\\OrderTest > it stores an order               QueryException
  SQLSTATE[HY000]: General error: 1 no such table: orders

  at vendor/laravel/framework/src/Illuminate/Database/Connection.php:813

  Tests:    2 failed, 4 passed (9 assertions)
`,
    [
      { test: "Tests\\Unit\\CartTest > it adds prices", file: "tests/Unit/CartTest.php", line: 6 },
      { message: "QueryException: SQLSTATE[HY000]: General error: 1 no such table: orders" },
    ],
  ],
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
    "dotnet test",
    `[xUnit.net 00:00:00.52]     Shop.Tests.CartTests.AddsPrices [FAIL]
  Failed Shop.Tests.CartTests.AddsPrices [12 ms]
  Error Message:
   Assert.Equal() Failure: Values differ
Expected: 3
Actual:   2
  Stack Trace:
     at Shop.Tests.CartTests.AddsPrices() in /project/tests/CartTests.cs:line 14
  Failed Shop.Tests.CartTests.Loads(name: "mine") [3 ms]
  Error Message:
   System.InvalidOperationException : the cart cannot be read
  Stack Trace:
     at Shop.Cart.Load(String name) in /project/src/Cart.cs:line 30
     at Shop.Tests.CartTests.Loads(String name) in /project/tests/CartTests.cs:line 21

Failed!  - Failed:     2, Passed:     7, Skipped:     0, Total:     9, Duration: 40 ms - Shop.Tests.dll (net8.0)
`,
    [
      {
        test: "Shop.Tests.CartTests.AddsPrices",
        file: "/project/tests/CartTests.cs",
        line: 14,
        message: "Assert.Equal() Failure: Values differ (expected 3, actual 2)",
      },
      {
        test: 'Shop.Tests.CartTests.Loads(name: "mine")',
        file: "/project/src/Cart.cs",
        message: "System.InvalidOperationException : the cart cannot be read",
      },
    ],
  ],
  [
    "NUnit",
    `  Failed AddsPrices [21 ms]
  Error Message:
     Expected: 3
  But was:  2

  Stack Trace:
     at Shop.Tests.CartTests.AddsPrices() in C:\\project\\tests\\CartTests.cs:line 14
`,
    [
      {
        test: "AddsPrices",
        file: "C:\\project\\tests\\CartTests.cs",
        line: 14,
        message: "expected 3, but was 2",
      },
    ],
  ],
  [
    "Terraform",
    `Initializing the backend...
╷
│ Warning: Deprecated attribute
│ 
│   on main.tf line 3, in output "name":
╵
╷
│ Error: Reference to undeclared resource
│ 
│   on network.tf line 12, in resource "aws_instance" "web":
│   12:   subnet_id = aws_subnet.missing.id
│ 
│ A managed resource "aws_subnet" "missing" has not been declared in the root
│ module.
╵
`,
    [
      {
        tool: "terraform",
        file: "network.tf",
        line: 12,
        message:
          'Reference to undeclared resource: A managed resource "aws_subnet" "missing" has not been declared in the root module.',
      },
    ],
  ],
  [
    "a Docker build, by what failed in its step",
    `#9 [build 4/7] COPY package.json ./
#9 DONE 0.0s
#10 [build 5/7] RUN npm run build
#10 0.411
#10 0.412 > shop@1.0.0 build
#10 0.412 > tsc
#10 2.105 src/cart.ts(4,7): error TS2322: Type 'string' is not assignable to type 'number'.
#10 ERROR: process "/bin/sh -c npm run build" did not complete successfully: exit code: 2
------
 > [build 5/7] RUN npm run build:
0.412 > tsc
2.105 src/cart.ts(4,7): error TS2322: Type 'string' is not assignable to type 'number'.
------
Dockerfile:11
--------------------
  11 | >>> RUN npm run build
--------------------
ERROR: failed to solve: process "/bin/sh -c npm run build" did not complete successfully: exit code: 2
`,
    [{ code: "TS2322", file: "src/cart.ts", line: 4 }],
  ],
  [
    "a Docker build that lacks a file",
    `#7 [3/4] COPY dist ./dist
#7 ERROR: failed to calculate checksum of ref k3::x9: "/dist": not found
ERROR: failed to solve: failed to compute cache key: failed to calculate checksum of ref k3::x9: "/dist": not found
`,
    [{ message: containing('"/dist": not found') }, { message: containing('"/dist": not found') }],
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
    [{ file: "/docs/intro", message: "Broken link to ./missing" }],
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
    "knex",
    `Using environment: development
migration file "20260301_prices.js" failed
migration failed with error: create table "prices" ("id" integer) - relation "prices" already exists
create table "prices" ("id" integer) - relation "prices" already exists
`,
    [{ message: 'create table "prices" ("id" integer) - relation "prices" already exists' }],
  ],
  [
    "Prisma",
    `Error: P3018

A migration failed to apply. New migrations cannot be applied before the error is recovered from.

Migration name: 20260301_prices

Database error code: 42P07

Database error:
ERROR: relation "prices" already exists
`,
    [{ code: "P3018", message: 'relation "prices" already exists' }],
  ],
  [
    "Flyway",
    `ERROR: Migration of schema "public" to version "2 - prices" failed! Changes successfully rolled back.
Script V2__prices.sql failed
----------------------------
SQL State  : 42P07
Error Code : 0
Message    : ERROR: relation "prices" already exists
Location   : db/migration/V2__prices.sql (/project/db/migration/V2__prices.sql)
Line       : 3
Statement  : create table prices (id int)
`,
    [{ file: "db/migration/V2__prices.sql", line: 3, message: 'relation "prices" already exists' }],
  ],
  [
    "a migration of Rails",
    `== 20260301 CreatePrices: migrating ==========================
-- create_table(:prices)
rails aborted!
StandardError: An error has occurred, this and all later migrations canceled:

PG::DuplicateTable: ERROR:  relation "prices" already exists
/project/db/migrate/20260301_create_prices.rb:3:in \`change'

Caused by:
PG::DuplicateTable: ERROR:  relation "prices" already exists

Tasks: TOP => db:migrate
`,
    [
      {
        code: "PG::DuplicateTable",
        file: "/project/db/migrate/20260301_create_prices.rb",
        line: 3,
        message: 'relation "prices" already exists',
      },
    ],
  ],
  [
    "a migration of Django",
    `Operations to perform:
  Apply all migrations: shop
Traceback (most recent call last):
  File "/usr/lib/python3/dist-packages/django/db/backends/utils.py", line 89, in _execute
    return self.cursor.execute(sql, params)
psycopg2.errors.DuplicateColumn: column "price" of relation "shop_item" already exists

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/project/manage.py", line 22, in <module>
    main()
django.db.utils.ProgrammingError: column "price" of relation "shop_item" already exists
`,
    [{ code: "ProgrammingError", message: 'column "price" of relation "shop_item" already exists' }],
  ],
  [
    "Alembic",
    "INFO  [alembic.runtime.migration] Context impl PostgresqlImpl.\nFAILED: Multiple head revisions are present for given argument 'head'\n",
    [{ message: "Multiple head revisions are present for given argument 'head'" }],
  ],
  [
    "psql",
    'psql:schema.sql:14: ERROR:  relation "prices" already exists\n',
    [{ file: "schema.sql", line: 14, message: 'relation "prices" already exists' }],
  ],
  [
    "mysql",
    "ERROR 1050 (42S01) at line 3: Table 'prices' already exists\n",
    [{ code: "1050 (42S01)", line: 3, message: "Table 'prices' already exists" }],
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
    "XCTest",
    `Test Case 'CartTests.testTotal' started at 2026-03-01 10:00:00.000
/project/Tests/CartTests.swift:9: error: CartTests.testTotal : XCTAssertEqual failed: ("2") is not equal to ("3") -
Test Case 'CartTests.testTotal' failed (0.01 seconds)
`,
    [{ test: "CartTests.testTotal", file: "/project/Tests/CartTests.swift", line: 9 }],
  ],
  [
    "Swift Testing",
    `◇ Test adds() started.
✘ Test adds() recorded an issue at CartTests.swift:8:5: Expectation failed: (total → 2) == 3
✘ Test adds() failed after 0.001 seconds with 1 issue.
`,
    [{ test: "adds()", file: "CartTests.swift", line: 8, message: "Expectation failed: (total → 2) == 3" }],
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
    "helm",
    'Error: UPGRADE FAILED: cannot patch "web" with kind Deployment: spec.selector: field is immutable\n',
    [{ message: 'cannot patch "web" with kind Deployment: spec.selector: field is immutable' }],
  ],
  [
    "a template of helm",
    'Error: template: shop/templates/web.yaml:12:20: executing "shop/templates/web.yaml" at <.Values.image.tag>: nil pointer evaluating interface {}.tag\n',
    [{ file: "shop/templates/web.yaml", line: 12, message: containing("nil pointer evaluating") }],
  ],
  [
    "kubectl",
    'Error from server (NotFound): deployments.apps "web" not found\n',
    [{ message: 'Error from server (NotFound): deployments.apps "web" not found' }],
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
    [{ message: containing("The user requested werkzeug==2.0.0; flask 3.0.0 depends on Werkzeug>=3.0.0") }],
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
    "GoogleTest",
    `[ RUN      ] Cart.Adds
/project/tests/cart.cpp:12: Failure
Expected equality of these values:
  total({1, 1})
    Which is: 2
  3
[  FAILED  ] Cart.Adds (0 ms)
`,
    [{ test: "Cart.Adds", file: "/project/tests/cart.cpp", line: 12, message: containing("Which is: 2 3") }],
  ],
  [
    "Flutter's tests",
    `00:01 +3 -1: test/cart_test.dart: adds prices [E]
  Expected: <3>
    Actual: <2>

  package:test_api         expect
  test/cart_test.dart 9:5  main.<fn>

00:01 +3 -1: Some tests failed.
`,
    [{ test: "adds prices", file: "test/cart_test.dart", line: 9, message: "expected <3>, actual <2>" }],
  ],
  [
    "ScalaTest",
    `[info] CartSpec:
[info] - should add prices *** FAILED ***
[info]   2 did not equal 3 (CartSpec.scala:9)
[error] (Test / test) sbt.TestsFailedException: Tests unsuccessful
`,
    [{ test: "should add prices", file: "CartSpec.scala", line: 9, message: "2 did not equal 3" }],
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
    "Django's checks",
    `SystemCheckError: System check identified some issues:

ERRORS:
shop.Item.owner: (fields.E304) Reverse accessor 'User.item_set' clashes with reverse accessor.

System check identified 1 issue (0 silenced).
`,
    [{ code: "fields.E304", message: containing("clashes with reverse accessor") }],
  ],
  [
    "tests that pass but cover too little",
    `============================= test session starts ==============================
tests/test_cart.py ............                                          [100%]

FAIL Required test coverage of 90% not reached. Total coverage: 85.00%

============================== 12 passed in 1.20s ==============================
`,
    [{ message: containing("Required test coverage of 90% not reached") }],
  ],
  [
    "black",
    "would reformat src/cart.py\n\nOh no!\n1 file would be reformatted, 14 files would be left unchanged.\n",
    [{ file: "src/cart.py", message: "not formatted" }],
  ],
  [
    "a push that is refused",
    `To example.com:acme/shop.git
 ! [rejected]        main -> main (non-fast-forward)
error: failed to push some refs to 'example.com:acme/shop.git'
hint: Updates were rejected because the tip of your current branch is behind
`,
    [{ message: "main -> main (non-fast-forward)" }],
  ],
  [
    "a lock of Terraform's state, without the lock's own data",
    `╷
│ Error: Error acquiring the state lock
│ 
│ Error message: ConditionalCheckFailedException: The conditional request failed
│ Lock Info:
│   ID:        5d8c
╵
`,
    [{ message: containing("The conditional request failed") }],
  ],
];

describe("failures in the output of", () => {
  it.each(outputs)("%s", (_, output, failures) => {
    const found = findFailures(output);
    expect(found).toMatchObject(failures);
  });
});
