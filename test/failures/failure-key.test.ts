import { describe, expect, it } from "vitest";
import type { Failure } from "../../src/failures/failure.js";
import { failureKey } from "../../src/failures/failure-key.js";

const toFailure = (each: string | Failure): Failure => (typeof each === "string" ? { message: each } : each);
const keysOf = (...failures: (string | Failure)[]) => [
  ...new Set(failures.map((each) => failureKey(toFailure(each)).key)),
];
const isParticular = (failure: string | Failure) => failureKey(toFailure(failure)).isParticular;

describe("the key of a failure", () => {
  it("is the code alone, whatever the file", () => {
    const failures = ["cart", "mail", "users", "notes"].map((name, index) => ({
      code: "TS7030",
      file: `src/${name}.ts`,
      line: index * 7,
      message: "Not all code paths return a value.",
    }));
    expect(keysOf(...failures)).toEqual(["TS7030"]);
  });

  it.each<[string, string[]]>([
    ["names in quotation marks", ['relation "parcels" already exists', 'relation "depots" already exists']],
    ["paths and lines", ["/home/a/app/src/x.ts:4:1 is not formatted", "lib/deep/y.ts:120 is not formatted"]],
    ["hashes and ids", ["image 4f3a9c2be1 is stale", "image 99d01e7fa3 is stale"]],
    ["durations", ["hook took 1200ms, too long", "hook took 48 s, too long"]],
    ["sizes", ["bundle is 312.4 kB, over the limit", "bundle is 98 kB, over the limit"]],
    ["addresses", ["GET https://a.example/x answered 502", "GET https://b.example/y?z=1 answered 502"]],
    [
      "what follows a sentence",
      [
        "the lock file is out of date with the manifest. Run a",
        "the lock file is out of date with the manifest. Run b",
      ],
    ],
    [
      "the name of the exception",
      ["sqlalchemy.exc.ProgrammingError: connection is closed", "ProgrammingError: connection is closed"],
    ],
    ["what is quoted after an apostrophe", ["can't open the ledger 'a.db'", "can't open the ledger 'b.db'"]],
  ])("does not depend on %s", (_what, messages) => {
    expect(keysOf(...messages)).toHaveLength(1);
  });

  it("does not depend on the test that showed it", () => {
    const message = "connection pool is exhausted";
    expect(keysOf({ test: "carts > adds", message }, { test: "mails > sends", message })).toHaveLength(1);
  });

  it.each<[string, string | Failure, string | Failure]>([
    ["ports", "connect ECONNREFUSED 127.0.0.1:5432", "connect ECONNREFUSED 127.0.0.1:6379"],
    [
      "missing files",
      "ENOENT: no such file or directory, open '/w/.env'",
      "ENOENT: no such file or directory, open '/w/cert.pem'",
    ],
    ["missing modules", "Cannot find module 'left-pad'", "Cannot find module 'sharp'"],
    ["missing members", "'Cart' object has no attribute 'total'", "'Cart' object has no attribute 'items'"],
    ["exit codes above 2", "process ended with exit code 137", "process ended with exit code 3"],
    [
      "variables that are not set",
      { code: "KeyError", message: "KeyError: 'DATABASE_URL'" },
      { code: "KeyError", message: "KeyError: 'SMTP_HOST'" },
    ],
  ])("differs for other %s", (_what, one, other) => {
    expect(keysOf(one, other)).toHaveLength(2);
    expect([isParticular(one), isParticular(other)]).toEqual([false, false]);
  });

  it("names the port of a refused connection in any wording", () => {
    expect(
      keysOf(
        "connect ECONNREFUSED 127.0.0.1:5432",
        "connect ECONNREFUSED ::1:5432",
        "could not connect to server: Connection refused. Is it running and accepting connections on port 5432?",
      ),
    ).toEqual(["ECONNREFUSED port 5432"]);
  });

  it.each([
    "expected 3 to be 4",
    "AssertionError: expected [ 'a', 'b' ] to deeply equal [ 'a' ]",
    "assert 12 == 13",
    "Expected: 200 Received: 404",
    "expected: <5> but was: <6>",
    "assertion `left == right` failed left: 1 right: 2",
    "got 4, want 3",
    "Limit(5) = 4, want 3",
    "expected 3 results, got 2",
  ])("is particular to a task when only values are compared: %s", (message) => {
    expect(isParticular({ test: "totals > adds", message })).toBe(true);
    expect(keysOf({ test: "totals > adds", message }, { test: "mails > sends", message })).toHaveLength(2);
  });

  it.each<[string, string, string]>([
    ["Python", "ModuleNotFoundError: No module named 'yaml'", "no module named yaml"],
    [
      "Ruby",
      "NoMethodError: undefined method `sum' for nil:NilClass",
      "undefined method sum for nil:nilclass",
    ],
    ["Go", "undefined: parseDate", "undefined: parsedate"],
    ["Java", "java.lang.IllegalStateException: Failed to load the context", "failed to load the context"],
    [
      "Rust",
      "cannot borrow `cart` as mutable more than once at a time",
      "cannot borrow <value> as mutable more than once at a time",
    ],
    [
      "Terraform",
      'Unsupported argument: An argument named "acl" is not expected here.',
      "unsupported argument: an argument named <value> is not expected here.",
    ],
  ])("is readable for %s", (_language, message, key) => {
    expect(keysOf(message)).toEqual([key]);
    expect(isParticular(message)).toBe(false);
  });
});
