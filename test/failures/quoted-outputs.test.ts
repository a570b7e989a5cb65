import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findFailures } from "../../src/failures/find-failures.js";
import { at, containing } from "./expected-failure.js";

/** Tools that cannot be run wherever the tests are: their outputs are quoted in fixtures/quoted-output. */
const outputs: Record<string, object[]> = {
  // test runners
  testify: [
    at("orders_test.go:41", { test: "TestCreate", message: "Not equal: expected: 201 actual : 500" }),
  ],
  "testifys-unexpected-error": [
    { test: "TestCreate", message: containing("dial tcp 127.0.0.1:5432: connect: connection refused") },
  ],
  ginkgo: [{ test: "Cart [It] adds prices", file: "/project/cart_test.go", line: 15 }],
  "junit-behind-gradle-with-the-innermost-cause": [
    at("OrderTest.kt:22", {
      test: "OrderTest.loads()",
      message: containing("PSQLException: Connection to localhost:5432 refused"),
    }),
  ],
  "pytest-that-cannot-import-its-conftest-py": [
    { file: "tests/conftest.py", line: 3, message: "ModuleNotFoundError: No module named 'shop'" },
  ],
  "pytest-whose-output-was-cut-to-its-end-with-an-exception-that-is-not-called-an-error": [
    {
      message: "django.core.exceptions.ImproperlyConfigured: The SECRET_KEY setting must not be empty.",
      tool: "pytest",
    },
  ],
  bun: [{ test: "adds prices", file: "/project/cart.test.ts", line: 3, message: "expected 3, received 2" }],
  deno: [
    at("/project/cart_test.ts:4", { test: "adds prices", message: "AssertionError: Values are not equal." }),
  ],
  jasmine: [at("/project/spec/cart.spec.js:6", { test: "Cart adds prices", message: "Expected 2 to be 3." })],
  karma: [
    at("src/app/cart.component.spec.ts:22", {
      test: "CartComponent adds prices",
      message: "Expected 2 to be 3.",
    }),
  ],
  cucumber: [
    at("features/cart.feature:3", { test: "adds prices", message: "AssertionError [ERR_ASSERTION]: 2 == 3" }),
  ],
  // test runners
  "a-playwright-test-that-waits-for-an-element": [
    at("tests/login.spec.ts:11", {
      test: "shows the dashboard",
      message:
        "Error: expect(locator).toBeVisible() failed (getByRole('heading', { name: 'Dashboard' }), expected visible, received <element(s) not found>)",
    }),
    {
      test: "signs out",
      line: 17,
      message: "Error: locator.click: Test timeout of 30000ms exceeded. (getByText('Sign out'))",
    },
  ],
  "playwrights-server-that-did-not-start": [{ message: containing("listen EADDRINUSE") }],
  cypress: [
    at("cypress/e2e/login.cy.ts:8", {
      test: "login > shows the dashboard",
      message: containing("Expected to find element: `.dash`"),
    }),
  ],
  pest: [
    { test: "Tests\\Unit\\CartTest > it adds prices", file: "tests/Unit/CartTest.php", line: 6 },
    { message: "QueryException: SQLSTATE[HY000]: General error: 1 no such table: orders" },
  ],
  "dotnet-test": [
    at("/project/tests/CartTests.cs:14", {
      test: "Shop.Tests.CartTests.AddsPrices",
      message: "expected 3, received 2",
    }),
    at("/project/src/Cart.cs", {
      test: 'Shop.Tests.CartTests.Loads(name: "mine")',
      message: "System.InvalidOperationException : the cart cannot be read",
    }),
  ],
  nunit: [
    at("C:\\project\\tests\\CartTests.cs:14", { test: "AddsPrices", message: "expected 3, received 2" }),
  ],
  xctest: [{ test: "CartTests.testTotal", file: "/project/Tests/CartTests.swift", line: 9 }],
  "swift-testing": [
    { test: "adds()", file: "CartTests.swift", line: 8, message: "Expectation failed: (total → 2) == 3" },
  ],
  googletest: [
    { test: "Cart.Adds", file: "/project/tests/cart.cpp", line: 12, message: containing("Which is: 2 3") },
  ],
  "flutters-tests": [
    { test: "adds prices", file: "test/cart_test.dart", line: 9, message: "expected <3>, received <2>" },
  ],
  scalatest: [{ test: "should add prices", file: "CartSpec.scala", line: 9, message: "2 did not equal 3" }],
  "tests-that-pass-but-cover-too-little": [
    { message: containing("Required test coverage of 90% not reached") },
  ],
  // compilers, checkers and package managers
  "dotnet-build": [
    at("/project/src/Cart.cs:12", {
      code: "CS0103",
      message: "The name 'summ' does not exist in the current context",
    }),
    { code: "NU1101", file: "/project/src/Shop.csproj" },
  ],
  "msbuild-without-a-project": [{ code: "MSB1003", message: containing("Specify a project") }],
  "next-build": [
    { file: "app/cart/page.tsx", line: 5, message: containing("Type error: Type 'string'") },
    { file: "app/page.tsx", message: "Module not found: Can't resolve './missing'" },
    { file: "app/layout.tsx", line: 12, code: "@typescript-eslint/no-unused-vars" },
  ],
  docusaurus: [{ file: "/docs/intro", message: "Broken link: ./missing" }],
  vale: [{ file: "docs/intro.md", line: 3, code: "Shop.Wordiness", message: containing("Use 'because'") }],
  "kotlinc-behind-gradle": [
    { file: "/project/src/main/kotlin/Cart.kt", line: 5, message: "Unresolved reference: summ" },
  ],
  "a-newer-elixir": [{ file: "lib/cart.ex", line: 3, message: 'undefined variable "prices"' }],
  "golangci-lint": [
    at("pkg/cart.go:12", { code: "errcheck", message: "Error return value of `f.Close` is not checked" }),
  ],
  pip: [{ message: containing("flask 3.0.0 depends on Werkzeug>=3.0.0") }],
  poetry: [{ message: "because shop depends on werkzeug (2.0.0), version solving failed." }],
  uv: [{ message: containing("flask==3.0.0 depends on werkzeug>=3.0.0") }],
  bundler: [{ message: containing("Could not find gem 'basket (~> 9.0)'") }],
  composer: [{ message: containing("requires php ^8.4 but your php version (8.2.7)") }],
  "cargos-resolver": [{ message: containing("with features: `nothing`") }],
  cmake: [{ file: "CMakeLists.txt", line: 12, message: containing('provided by "Basket"') }],
  "gradle-by-the-innermost-reason": [{ message: "Could not find com.acme:basket:9.1.0." }],
  black: [{ file: "src/cart.py", message: "not formatted" }],
  "a-gem-that-cannot-be-built": [
    { message: containing("installing pg (1.5.4) (Can't find the 'libpq-fe.h header)") },
  ],
  // databases, containers and machines
  terraform: [
    at("network.tf:12", {
      tool: "terraform",
      message:
        'Reference to undeclared resource: A managed resource "aws_subnet" "missing" has not been declared in the root module.',
    }),
  ],
  "a-docker-build-by-what-failed-in-its-step": [{ code: "TS2322", file: "src/cart.ts", line: 4 }],
  "a-docker-build-that-lacks-a-file": [
    { message: containing('"/dist": not found') },
    { message: containing('"/dist": not found') },
  ],
  knex: [{ message: 'create table "prices" ("id" integer) - relation "prices" already exists' }],
  prisma: [{ code: "P3018", message: 'relation "prices" already exists' }],
  flyway: [{ file: "db/migration/V2__prices.sql", line: 3, message: 'relation "prices" already exists' }],
  "a-migration-of-rails": [
    at("/project/db/migrate/20260301_create_prices.rb:3", {
      code: "PG::DuplicateTable",
      message: 'relation "prices" already exists',
    }),
  ],
  "a-migration-of-django": [
    { code: "ProgrammingError", message: 'column "price" of relation "shop_item" already exists' },
  ],
  alembic: [{ message: "Multiple head revisions are present for given argument 'head'" }],
  psql: [{ file: "schema.sql", line: 14, message: 'relation "prices" already exists' }],
  mysql: [{ code: "1050 (42S01)", line: 3, message: "Table 'prices' already exists" }],
  helm: [{ message: 'cannot patch "web" with kind Deployment: spec.selector: field is immutable' }],
  "a-template-of-helm": [
    { file: "shop/templates/web.yaml", line: 12, message: containing("nil pointer evaluating") },
  ],
  kubectl: [{ message: 'Error from server (NotFound): deployments.apps "web" not found' }],
  "djangos-checks": [{ code: "fields.E304", message: containing("clashes with reverse accessor") }],
  "a-push-that-is-refused": [{ message: "main -> main (non-fast-forward)" }],
  "a-lock-of-terraforms-state-without-the-locks-own-data": [
    { message: containing("The conditional request failed") },
  ],
  "laravels-console": [
    { code: "Illuminate\\Database\\QueryException", message: containing("Table 'orders' already exists") },
  ],
  "a-migration-of-net": [
    { code: "SqlException", message: "There is already an object named 'Orders' in the database." },
  ],
  "flyway-inside-a-program": [
    { code: "FlywayException", message: containing("Migration checksum mismatch for migration version 3") },
  ],
};

describe("failures in the output of", () => {
  it.each(Object.entries(outputs))("%s", (name, failures) => {
    const output = readFileSync(join(import.meta.dirname, `../fixtures/quoted-output/${name}.txt`), "utf8");
    expect(findFailures(output)).toMatchObject(failures);
  });
});
