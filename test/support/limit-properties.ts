import fc from "fast-check";

// Below Vitest's own limit, after which a property would go on shrinking unseen, with a store for each try; so the seed and the
// smallest counterexample so far are always told. Set as a parameter, since this runs for each file and plugins would pile up.
fc.configureGlobal({ interruptAfterTimeLimit: 50_000, markInterruptAsFailure: true });
