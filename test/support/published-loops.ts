const files = ["src/auth/login.ts", "test/auth/login.test.ts"];

/** A loop that failed twice with the same kind of error and then went through. */
export const authenticationLoop = {
  loopId: "ralph-001",
  objective: "Fix failing authentication tests",
  status: "completed",
  currentIteration: 3,
  iterations: [
    failed(1, "SyntaxError: Unexpected token"),
    failed(2, "SyntaxError: missing ) after argument list"),
    completed(3, 45_000, ["Write tests first before implementation"]),
  ],
};

export function failed(number: number, error: string) {
  return {
    number,
    status: "failed",
    duration: 40_000,
    analysis: { progressMade: false, errors: [error] },
    learnings: [],
    filesModified: files.slice(0, 1),
  };
}

export function completed(number: number, duration: number, learnings: string[]) {
  return {
    number,
    status: "completed",
    duration,
    analysis: { progressMade: true },
    learnings,
    filesModified: files,
  };
}
