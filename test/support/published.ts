import { readFileSync } from "node:fs";
import { join } from "node:path";

const read = (name: string) => readFileSync(join(import.meta.dirname, "../fixtures", name), "utf8");

/** A ledger, a handoff and a continuity file as they were published. */
export const publishedLedger = JSON.parse(read("published-ledger.json"));
export const publishedHandoff = JSON.parse(read("published-handoff.json"));
export const publishedContinuity = read("published-continuity.md");
