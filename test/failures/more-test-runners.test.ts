import { describe, expect, it } from "vitest";
import { findFailures } from "../../src/failures/find-failures.js";

const containing = (text: string): string => expect.stringContaining(text);

/** Outputs of test runners that cannot be run wherever the tests are, and what they say is wrong. */
const outputs: [name: string, output: string, failures: object[]][] = [
  [
    "testify",
    `--- FAIL: TestCreate (0.00s)
    orders_test.go:41: 
        	Error Trace:	/project/orders_test.go:41
        	Error:      	Not equal: 
        	            	expected: 201
        	            	actual  : 500
        	Test:       	TestCreate
FAIL
FAIL	shop/orders	0.012s
FAIL
`,
    [
      {
        test: "TestCreate",
        file: "orders_test.go",
        line: 41,
        message: "Not equal: expected: 201 actual : 500",
      },
    ],
  ],
  [
    "testify's unexpected error",
    `=== RUN   TestCreate
    orders_test.go:33: 
        	Error Trace:	/project/orders_test.go:33
        	Error:      	Received unexpected error:
        	            	dial tcp 127.0.0.1:5432: connect: connection refused
        	Test:       	TestCreate
--- FAIL: TestCreate (0.00s)
FAIL
FAIL	shop/orders	0.012s
`,
    [{ test: "TestCreate", message: containing("dial tcp 127.0.0.1:5432: connect: connection refused") }],
  ],
  [
    "Ginkgo",
    `• [FAILED] [0.002 seconds]
Cart [It] adds prices
/project/cart_test.go:14

  [FAILED] Expected
      <int>: 2
  to equal
      <int>: 3
  In [It] at: /project/cart_test.go:15 @ 03/01/26 10:00:00
------------------------------

Summarizing 1 Failure:
  [FAIL] Cart [It] adds prices
  /project/cart_test.go:15

Ran 2 of 2 Specs in 0.003 seconds
FAIL! -- 1 Passed | 1 Failed | 0 Pending | 0 Skipped
--- FAIL: TestCart (0.00s)
FAIL
`,
    [{ test: "Cart [It] adds prices", file: "/project/cart_test.go", line: 15 }],
  ],
  [
    "JUnit behind Gradle, with the innermost cause",
    `OrderTest > loads() FAILED
    org.springframework.dao.DataAccessResourceFailureException: Unable to acquire JDBC Connection
        at org.springframework.orm.Foo.bar(Foo.java:10)
        at shop.OrderTest.loads(OrderTest.kt:22)

        Caused by:
        org.postgresql.util.PSQLException: Connection to localhost:5432 refused. Check that the hostname and port are correct.
            at org.postgresql.core.Foo.bar(Foo.java:10)

1 test completed, 1 failed
`,
    [
      {
        test: "OrderTest.loads()",
        file: "OrderTest.kt",
        line: 22,
        message: containing("PSQLException: Connection to localhost:5432 refused"),
      },
    ],
  ],
  [
    "pytest that cannot import its conftest.py",
    `ImportError while loading conftest '/project/tests/conftest.py'.
tests/conftest.py:3: in <module>
    from shop.app import create_app
E   ModuleNotFoundError: No module named 'shop'
`,
    [{ file: "tests/conftest.py", line: 3, message: "ModuleNotFoundError: No module named 'shop'" }],
  ],
  [
    "pytest whose output was cut to its end, with an exception that is not called an error",
    `E   django.core.exceptions.ImproperlyConfigured: The SECRET_KEY setting must not be empty.
1 error in 0.31s
`,
    [
      {
        message: "django.core.exceptions.ImproperlyConfigured: The SECRET_KEY setting must not be empty.",
        tool: "pytest",
      },
    ],
  ],
  [
    "Bun",
    `bun test v1.1.20

cart.test.ts:
1 | import { expect, test } from "bun:test";
2 | test("adds prices", () => {
3 |   expect(1 + 1).toBe(3);
                    ^
error: expect(received).toBe(expected)

Expected: 3
Received: 2

      at /project/cart.test.ts:3:17
✗ adds prices [0.45ms]

 1 pass
 1 fail
`,
    [{ test: "adds prices", file: "/project/cart.test.ts", line: 3, message: "expected 3, received 2" }],
  ],
  [
    "Deno",
    `running 2 tests from ./cart_test.ts
adds prices ... FAILED (4ms)

 ERRORS 

adds prices => ./cart_test.ts:3:6
error: AssertionError: Values are not equal.

    [Diff] Actual / Expected
-   2
+   3

  at assertEquals (https://deno.land/std/assert.ts:10:9)
  at file:///project/cart_test.ts:4:3

 FAILURES 

adds prices => ./cart_test.ts:3:6

FAILED | 1 passed | 1 failed (12ms)

error: Test failed
`,
    [
      {
        test: "adds prices",
        file: "/project/cart_test.ts",
        line: 4,
        message: "AssertionError: Values are not equal.",
      },
    ],
  ],
  [
    "Jasmine",
    `Randomized with seed 1
Started
F.

Failures:
1) Cart adds prices
  Message:
    Expected 2 to be 3.
  Stack:
        at <Jasmine>
        at UserContext.<anonymous> (/project/spec/cart.spec.js:6:23)

2 specs, 1 failure
`,
    [
      {
        test: "Cart adds prices",
        file: "/project/spec/cart.spec.js",
        line: 6,
        message: "Expected 2 to be 3.",
      },
    ],
  ],
  [
    "Karma",
    `Chrome Headless 120 (Linux): Executed 3 of 5 SUCCESS
Chrome Headless 120 (Linux) CartComponent adds prices FAILED
	Expected 2 to be 3.
	    at UserContext.apply (src/app/cart.component.spec.ts:22:19)
Chrome Headless 120 (Linux): Executed 5 of 5 (1 FAILED)
`,
    [
      {
        test: "CartComponent adds prices",
        file: "src/app/cart.component.spec.ts",
        line: 22,
        message: "Expected 2 to be 3.",
      },
    ],
  ],
  [
    "Cucumber",
    `Failures:

1) Scenario: adds prices # features/cart.feature:3
   ✔ Given an empty cart # features/steps.js:4
   ✖ Then the total is 3 # features/steps.js:9
       AssertionError [ERR_ASSERTION]: 2 == 3
           at World.<anonymous> (/project/features/steps.js:10:10)

1 scenario (1 failed)
`,
    [
      {
        test: "adds prices",
        file: "features/cart.feature",
        line: 3,
        message: "AssertionError [ERR_ASSERTION]: 2 == 3",
      },
    ],
  ],
];

describe("failures in the output of", () => {
  it.each(outputs)("%s", (_, output, failures) => {
    expect(findFailures(output)).toMatchObject(failures);
  });
});
