import { describe, expect, it } from "vitest";
import { adviceFor, causeIn } from "../../src/loop/judge-iteration.js";

describe("the cause of a failure", () => {
  it.each([
    ["ANTHROPIC_API_KEY is not set\n", "ANTHROPIC_API_KEY is not set"],
    [
      "\u001b[31mError: out of credit\u001b[0m\n    at run (a.js:1:2)\nNode.js v22.1.0\n",
      "Error: out of credit",
    ],
    ['Traceback:\n  File "a.py", line 3\nValueError: no model', "ValueError: no model"],
    [
      "cart.js: value is missing\nnpm error code ELIFECYCLE\nerror: exited with 1",
      "cart.js: value is missing",
    ],
    ["(node:12) Warning: old\nbye", "bye"],
    ['{"type":"result"}\nInvalid API key · Please run /login', "Invalid API key · Please run /login"],
  ])("is told in one line of %j", (output, cause) => {
    expect(causeIn(output)).toBe(cause);
  });

  it("is looked for in each output; what says nothing has none", () => {
    expect(causeIn("starting up", "error: no such model")).toBe("error: no such model");
    expect(causeIn("", "starting up")).toBe("starting up");
    expect(causeIn("", "\n  \n--- 123\n")).toBeUndefined();
    expect(causeIn(`error: ${"long ".repeat(1000)}`)?.length).toBeLessThan(220);
  });
});

describe("the advice about an agent", () => {
  const claude = { name: "claude", program: "/usr/bin/claude" };
  it.each([
    ["ANTHROPIC_API_KEY is not set", "set ANTHROPIC_API_KEY"],
    ["please set OPENAI_API_KEY", "set OPENAI_API_KEY"],
    ["Invalid API key · Please run /login", "log in to claude: start claude by hand"],
    ["it broke", "start claude by hand to see why"],
  ])("on %j is %j", (trouble, advice) => {
    expect(adviceFor(claude, trouble)).toBe(advice);
  });
});
