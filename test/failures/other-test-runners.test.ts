import { describe, expect, it } from "vitest";
import { findFailures } from "../../src/failures/find-failures.js";

const containing = (text: string): string => expect.stringContaining(text);

/** Outputs of test runners that cannot be run wherever the tests are, and what they say is wrong. */
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
        message: "expected 3, received 2",
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
        message: "expected 3, received 2",
      },
    ],
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
    [{ test: "adds prices", file: "test/cart_test.dart", line: 9, message: "expected <3>, received <2>" }],
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
    "tests that pass but cover too little",
    `============================= test session starts ==============================
tests/test_cart.py ............                                          [100%]

FAIL Required test coverage of 90% not reached. Total coverage: 85.00%

============================== 12 passed in 1.20s ==============================
`,
    [{ message: containing("Required test coverage of 90% not reached") }],
  ],
];

describe("failures in the output of", () => {
  it.each(outputs)("%s", (_, output, failures) => {
    expect(findFailures(output)).toMatchObject(failures);
  });
});
