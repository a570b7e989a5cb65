// Whether reflections help a retry, with a scripted agent that acts on what its prompt says: `npm run bench:reflexion -- [--tasks N] [--json]`.
// Half of the tasks are run with a window of three reflections, half with none; `ralph metrics` tells both apart.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { tasks: { type: "string", default: "40" }, json: { type: "boolean", default: false } },
});
const ralph = resolve(import.meta.dirname, "../dist/cli/main.cjs");
const folder = mkdtempSync(join(tmpdir(), "ralph-reflexion-"));
const environment = {
  ...process.env,
  RALPH_HOME: join(folder, "user-home"),
  RALPH_ROOT: folder,
  RALPH_TRUST: "1",
};

/** Sets the port that its prompt names as expected; without a hint it guesses one of four. */
const agent = `const fs = require("node:fs");
const prompt = fs.readFileSync(0, "utf8");
const [, name] = /service (\\w+)/.exec(prompt);
const [, hint] = /expected port (\\d+)/.exec(prompt) || [];
const guesses = [8001, 8002, 8003, 8004];
const port = hint || guesses[Math.floor(Math.random() * guesses.length)];
fs.writeFileSync(name + ".json", JSON.stringify({ port: Number(port) }));
console.log("Set the port to " + port + ".\\n<promise>COMPLETE</promise>");
`;

const check = `const [name, port] = process.argv.slice(2);
const found = JSON.parse(require("node:fs").readFileSync(name + ".json", "utf8")).port;
if (found !== Number(port)) { console.error("AssertionError: expected port " + port + ", found " + found); process.exit(1); }
`;

try {
  writeFileSync(join(folder, "agent.cjs"), agent);
  writeFileSync(join(folder, "check.cjs"), check);
  writeFileSync(
    join(folder, "ralph.yml"),
    `agents:\n  scripted: { program: ${JSON.stringify(process.execPath)}, args: [agent.cjs] }\n`,
  );
  mkdirSync(join(folder, "user-home"));
  execFileSync("git", ["init", "--quiet", folder]);
  const ends = { with: { completed: 0, tasks: 0 }, without: { completed: 0, tasks: 0 } };
  for (let number = 0; number < Number(values.tasks); number += 1) {
    const name = `s${number}`;
    const port = 8001 + Math.floor(Math.random() * 4);
    writeFileSync(join(folder, `${name}.json`), '{"port":0}');
    const group = number % 2 === 0 ? "with" : "without";
    const { status } = spawnSync(
      process.execPath,
      [
        ...[ralph, "run", `Set the port of service ${name}`, "--verify", `node check.cjs ${name} ${port}`],
        ...["--attempts", "2", "--max-iterations", "1", "--no-cross-task", "--json"],
        ...["--memory", group === "with" ? "3" : "0"],
      ],
      { cwd: folder, env: environment, encoding: "utf8" },
    );
    ends[group].tasks += 1;
    if (status === 0) ends[group].completed += 1;
    if (!values.json && process.stderr.isTTY) process.stderr.write(`\r${number + 1} of ${values.tasks}`);
  }
  const metrics = JSON.parse(
    execFileSync(process.execPath, [ralph, "metrics", "--json"], {
      cwd: folder,
      env: environment,
      encoding: "utf8",
    }),
  );
  const { retry_improvement: retries } = metrics;
  if (values.json) console.log(JSON.stringify({ ends, retry_improvement: retries }));
  else {
    console.table(ends);
    console.log("Retries after a failure, as ralph metrics tells (a scripted agent):");
    console.table({
      "first attempts": retries.first_attempts,
      "retries without reflections": retries.retries_without_reflections,
      "retries with reflections": retries.retries_with_reflections,
    });
    console.log("Effect of reflections:", JSON.stringify(retries.effect_of_reflections));
  }
  if (retries.effect_of_reflections.verdict !== "better") process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
