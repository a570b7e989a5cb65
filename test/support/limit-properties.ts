import fc from "fast-check";

/** How many examples of a property are tried, unless it says so itself. */
const numRuns = Number(process.env.RALPH_TEST_PROPERTY_RUNS) || 30;

// Interrupted before Vitest's own limit, after which a property would go on shrinking unseen, with a store for each try; so the seed
// and the smallest counterexample are always printed. A parameter, since this runs for each file and plugins would pile up.
fc.configureGlobal({ numRuns, interruptAfterTimeLimit: 50_000, markInterruptAsFailure: true });
