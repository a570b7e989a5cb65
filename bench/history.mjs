// What is learned from a labelled history of tasks: `npm run bench:history -- --data DIR [--evaluator FILE] [further options of the evaluator]`.
// The evaluator replays the history through `bench/history-driver.mjs` and scores learnings, briefs, similar tasks and estimates.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values, tokens } = parseArgs({
  options: { data: { type: "string" }, evaluator: { type: "string" } },
  strict: false,
  tokens: true,
});
if (typeof values.data !== "string" || !existsSync(values.data)) {
  console.error("Error: say where the history is: npm run bench:history -- --data DIR [--evaluator FILE]");
  process.exit(2);
}
const evaluator = resolve(
  typeof values.evaluator === "string" ? values.evaluator : join(values.data, "../eval_history.mjs"),
);
if (!existsSync(evaluator)) {
  console.error(`Error: there is no evaluator ${evaluator}: name it with --evaluator FILE`);
  process.exit(2);
}
const own = new Set(
  tokens.flatMap(({ kind, name, index, inlineValue }) =>
    kind === "option" && (name === "data" || name === "evaluator")
      ? [index, ...(inlineValue ? [] : [index + 1])]
      : [],
  ),
);
const further = process.argv.slice(2).filter((_, index) => !own.has(index));
const root = resolve(import.meta.dirname, "..");
const { status } = spawnSync(
  process.execPath,
  [
    ...[evaluator, "--package", root, "--data", resolve(values.data)],
    ...["--driver", join(import.meta.dirname, "history-driver.mjs"), ...further],
  ],
  { stdio: "inherit" },
);
process.exitCode = status ?? 1;
