// Whether memory saves iterations, with a scripted agent in the real loop: `npm run bench:helps -- [--tasks N] [--json]`.
// Half of the tasks are controls (`recall.holdout: 0.5`). The agent solves a task at once if its prompt holds the remedy, and
// otherwise in its second to fourth iteration. A second agent ignores its prompt: memory must not seem to help it.
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs, promisify } from "node:util";
import { families, names } from "./helps/families.mjs";

const { values } = parseArgs({
  options: { tasks: { type: "string", default: "120" }, json: { type: "boolean", default: false } },
});
const ralph = resolve(import.meta.dirname, "../dist/cli/main.cjs");
const folder = mkdtempSync(join(tmpdir(), "ralph-helps-"));
const run = promisify(execFile);

const agent = `#!/bin/sh
prompt=$(cat)
n=$(printf '%s' "$prompt" | sed -n 's/^This is iteration \\([0-9]*\\) of.*/\\1/p')
if [ "$n" -ge "$NEEDED" ] || { [ "$READS" = yes ] && printf '%s' "$prompt" | grep -qF -- "$REMEDY"; }; then
  printf '%s\\n' "$LINE" > "$FILE"
  printf '%s\\n' "$SAID"
else
  printf 'guess %s\\n' "$n" > "$FILE"
  echo "I tried something, number $n."
fi
echo '<promise>COMPLETE</promise>'
`;

const check = `#!/bin/sh
if grep -qF -- "$REMEDY" "$FILE"; then echo 'all checks passed'; else printf '%s\\n' "$FAILURE"; exit 1; fi
`;

/** The same tasks for each agent: which family, which name, and how many iterations it takes without help. */
const tasks = Array.from({ length: Number(values.tasks) }, (_, index) => {
  const family = families[index % families.length];
  const round = Math.floor(index / families.length);
  return {
    family,
    name: names[(round * 7 + index) % names.length],
    needed: 2 + (((round * 5 + index * 3) % 7) % 3),
  };
});

async function play(reader) {
  const root = join(folder, reader.name);
  const environment = { ...process.env, RALPH_HOME: join(folder, `${reader.name}-home`), RALPH_TRUST: "1" };
  const ralphIn = (args, more = {}) =>
    run(process.execPath, [ralph, ...args], {
      cwd: root,
      env: { ...environment, ...more },
      maxBuffer: 1 << 26,
    });
  mkdirSync(root);
  await run("git", ["init", "--quiet", root]);
  for (const [name, script] of Object.entries({ "agent.sh": agent, "check.sh": check })) {
    writeFileSync(join(root, name), script);
    chmodSync(join(root, name), 0o755);
  }
  writeFileSync(
    join(root, "ralph.yml"),
    "recall:\n  holdout: 0.5\nagents:\n  scripted: { program: ./agent.sh, args: [], prompt: stdin, output: text }\n",
  );
  const results = [];
  for (const [index, { family, name, needed }] of tasks.entries()) {
    const file = family.file(name);
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), "to do\n");
    const said = [family.said(name), ...(family.learned ? [`Learned: ${family.learned}`] : [])].join("\n");
    const { stdout } = await ralphIn(
      ["run", family.objective(name), "--verify", "./check.sh", "--max-iterations", "6", "--json"],
      {
        ...{
          FILE: file,
          REMEDY: family.remedy,
          LINE: family.line,
          SAID: said,
          FAILURE: family.failure(name),
        },
        ...{ NEEDED: String(needed), READS: reader.reads ? "yes" : "no" },
      },
    );
    const events = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    results.push({
      family: family.name,
      isControl: events.find(({ event }) => event === "iteration-started").holdout,
      iterations: events.at(-1).iterations,
    });
    if (!values.json && process.stderr.isTTY)
      process.stderr.write(`\r${reader.name}: ${index + 1} of ${tasks.length} `);
  }
  return { results, metrics: JSON.parse((await ralphIn(["metrics", "--json"])).stdout) };
}

const meanOf = (list) =>
  list.length === 0
    ? undefined
    : Number((list.reduce((sum, { iterations }) => sum + iterations, 0) / list.length).toFixed(2));

/** Iterations by family, once the family has been met. */
function byFamily(results) {
  return families.map(({ name }) => {
    const later = results.filter(({ family }) => family === name).slice(1);
    return {
      family: name,
      control: meanOf(later.filter(({ isControl }) => isControl)),
      "with memory": meanOf(later.filter(({ isControl }) => !isControl)),
    };
  });
}

try {
  const [reading, ignoring] = await Promise.all([
    play({ name: "reading", reads: true }),
    play({ name: "ignoring", reads: false }),
  ]);
  const saved = { reading: reading.metrics.iterations_saved, ignoring: ignoring.metrics.iterations_saved };
  const compared = {
    reading: reading.metrics.comparison.iterations_to_completion,
    ignoring: ignoring.metrics.comparison.iterations_to_completion,
  };
  if (values.json)
    console.log(
      JSON.stringify({ tasks: tasks.length, saved, compared, families: byFamily(reading.results) }),
    );
  else {
    console.log("Iterations of the agent that reads its prompt (a scripted one):");
    console.table(byFamily(reading.results));
    console.log("Iterations saved, as ralph metrics tells:");
    for (const [agentName, { value, interval, verdict }] of Object.entries(saved)) {
      const { baseline, treatment } = compared[agentName];
      console.log(
        `  ${agentName}: ${value} [${interval?.join(", ")}] (${verdict}); ${baseline.value} in ${baseline.n} controls, ${treatment.value} in ${treatment.n} tasks with memory`,
      );
    }
  }
  // By chance, one interval in twenty excludes 0 although nothing is there.
  const isAsExpected =
    saved.reading.verdict === "better" && saved.ignoring.verdict === "no difference can be told";
  if (!isAsExpected) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
