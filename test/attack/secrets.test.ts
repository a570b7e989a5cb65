import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { loopRepository, sayAsClaude } from "../support/scripted-agent.js";
import { seed } from "../support/seeded-random.js";
import { randomFrom } from "../text/secrets/samples/random.js";
import { type Sample, secretFormats } from "../text/secrets/samples/secrets.js";

const count = 200;
const mostFound = 0.05;

/** Where the test itself writes secrets. */
const givenFiles = ["given", "agent.sh", ".git"];

interface Way {
  way: string;
  sample: Sample;
}

it(`of ${count} fresh secrets, taken in by every way, next to none is found anywhere (RALPH_SEED=${seed})`, async () => {
  console.log(`RALPH_SEED=${seed}`);
  const random = randomFrom(seed);
  const formats = [...secretFormats].sort(() => random.below(2) - 0.5);
  const samples = Array.from({ length: count }, (_, index) =>
    (formats[index % formats.length] as (typeof formats)[0]).make(random),
  );
  const given: Way[] = [];
  const take = (way: string): string => {
    const sample = samples.pop() ?? (formats[0] as (typeof formats)[0]).make(random);
    given.push({ way, sample });
    return sample.text;
  };
  const printed: string[] = [];
  const project = loopRepository("sh given/agent-$n.sh", { output: "claude-stream-json" });
  const { cwd } = project;
  const ralph = async (args: string[], input = "") => {
    const { stdout, stderr, status } = await project.ralph(args, { input });
    printed.push(stdout, stderr);
    expect(stderr).not.toContain("a bug in Ralph");
    return { stdout, status };
  };
  const write = (name: string, text: string): string => {
    const path = join(cwd, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  };

  // Notes
  for (let each = 0; each < 25; each += 1) await ralph(["memory", "add", take("note")]);
  await ralph(["memory", "add", "a plain note", "--tags", "one"]);
  const [note] = JSON.parse((await ralph(["memory", "list", "--json"])).stdout) as { id: string }[];
  await ralph(["memory", "edit", note?.id ?? "", "--content", take("edited note")]);
  await ralph(["memory", "add", take("note of the user"), "--global"]);

  // Tasks from another runner
  await ralph([
    "task",
    "init",
    `Do ${take("objective")}`,
    "--criteria",
    take("criteria"),
    "--constraint",
    take("constraint"),
  ]);
  await ralph(["task", "start", "task-001"]);
  const actions = Array.from({ length: 15 }, () => [
    { tool: "Bash", params: { command: take("command") }, success: true, output: take("output") },
    {
      tool: "Bash",
      params: { command: "npm test" },
      success: false,
      error: take("error"),
      reasoning: take("reasoning"),
    },
    { tool: "Write", params: { file_path: "a.txt", content: take("content") }, success: true },
    {
      tool: "Bash",
      params: { command: "make" },
      success: true,
      output: `${"line\n".repeat(9000)}${take("long output")}\n${"line\n".repeat(9000)}${take("tail of long output")}`,
    },
    { event: `half way ${take("milestone")}`, details: take("details") },
  ]).flat();
  await ralph(["task", "log", "task-001"], actions.map((action) => JSON.stringify(action)).join("\n"));
  for (let each = 0; each < 4; each += 1)
    await ralph([
      "task",
      "reflect",
      "task-001",
      take("observation"),
      "--analysis",
      take("analysis"),
      "--learning",
      take("learning"),
      "--item",
      take("item"),
    ]);
  write(
    "given/out.txt",
    `FAIL a.test.ts\nError: ${take("output of a check")}\n${take("output of a check")}\n`,
  );
  await ralph([
    "task",
    "complete",
    "task-001",
    "--outcome",
    "failure",
    "--output",
    "given/out.txt",
    "--reason",
    take("reason"),
  ]);
  await ralph(["task", "start", "task-001"]);
  await ralph([
    "task",
    "complete",
    "task-001",
    "--outcome",
    "success",
    "--worked",
    take("what worked"),
    "--reflection",
    take("own reflection"),
  ]);

  // Working memory
  await ralph([
    "ledger",
    "checkpoint",
    "eng",
    "--task",
    "task-001",
    "--goal",
    take("goal"),
    "--tech",
    "node",
  ]);
  await ralph(["continuity", "update", "--note", take("continuity")]);
  for (let each = 0; each < 3; each += 1)
    await ralph([
      "handoff",
      "create",
      "--from",
      "eng",
      "--to",
      "qa",
      "--task",
      "task-001",
      "--done",
      take("handoff"),
      "--issue",
      take("issue"),
    ]);

  // Skills
  for (const name of ["first", "second"]) {
    write(
      `given/${name}/SKILL.md`,
      `---\nname: ${name}\ndescription: deploys the app\n---\n\n${take("skill")}\n`,
    );
    write(`given/${name}/notes.txt`, take("file of a skill"));
    await ralph(["skill", "add", join("given", name)]);
  }
  const handWritten = take("skill by hand").replaceAll("\n", " ").replaceAll('"', "'");
  write(
    ".agent/skills/third/SKILL.md",
    `---\nname: third\ndescription: >-\n  deploy the app to staging with ${handWritten}\n---\nDo it.\n`,
  );

  // Settings, and a run with a scripted agent
  write(
    "ralph.yml",
    `agents:\n  scripted:\n    program: ./agent.sh\n    output: claude-stream-json\n    args: [${JSON.stringify(take("settings"))}]\n`,
  );
  for (const turn of [1, 2])
    write(
      `given/agent-${turn}.sh`,
      sayAsClaude(
        `${shellSafe(take("what the agent says"))}\nLearned: ${shellSafe(take("what the agent learned"))}${turn === 2 ? "\n<promise>COMPLETE</promise>" : ""}`,
        { tool: "Bash" },
      ).concat(`\ntouch given/done-${turn}\n`),
    );
  write("given/check.sh", `cat given/check.txt; [ -e given/done-2 ]\n`);
  write("given/check.txt", `FAIL ${take("verification")}\n${"x\n".repeat(30_000)}${take("verification")}\n`);
  printed.push(
    JSON.stringify(
      await project.run([
        `deploy the app to staging: ${take("objective of a run")}`,
        "--agent",
        "scripted",
        "--verify",
        `sh given/check.sh # ${shellSafe(take("command of a check"))}`,
      ]),
    ),
  );

  // Imports
  await ralph(["export", "episodic", "given/tree"]);
  for (const file of filesBelow(join(cwd, "given/tree")).filter(
    (path) => path.endsWith("task.json") || path.includes("attempt"),
  )) {
    const text = readFileSync(file, "utf8");
    const changed = text.replace(
      /("description": ")([^"]*)/,
      (_all, start: string) => start + JSON.stringify(take("import")).slice(1, -1),
    );
    if (changed !== text) writeFileSync(file, changed);
  }
  const other = loopRepository("true");
  printed.push(JSON.stringify(await other.ralph(["import", "episodic", join(cwd, "given/tree")])));

  // Everything that tells of it
  for (const args of [
    ["history"],
    ["history", "task-001"],
    ["history", "task-002"],
    ["replay", "task-001"],
    ["recall", "deploy the app to staging"],
    ["memory", "prime"],
    ["memory", "list"],
    ["memory", "search", "password token key"],
    ["learnings", "list"],
    ["learnings", "export"],
    ["skill", "list"],
    ["skill", "show", "third"],
    ["skill", "match", "deploy the app"],
    ["config", "show", "--json"],
    ["handoff", "list"],
    ["ledger", "show", "eng"],
    ["continuity", "show"],
    ["search", "deploy"],
    ["status"],
    ["doctor"],
    ["export", "episodic", "exported"],
  ])
    await ralph(args);

  const places = [cwd, other.cwd].flatMap((folder) =>
    filesBelow(folder)
      .filter(
        (path) =>
          !givenFiles.some((name) => path.startsWith(join(folder, name))) &&
          path !== join(cwd, "ralph.yml") &&
          !path.includes("skills/third"),
      )
      .map((path) => ({ place: path.slice(folder.length + 1), text: readFileSync(path, "latin1") })),
  );
  places.push({ place: "printed", text: Buffer.from(printed.join("\n")).toString("latin1") });
  expect(places.some(({ place }) => place.endsWith("memory.db"))).toBe(true);
  expect(places.some(({ place }) => place.includes("backups"))).toBe(true);
  expect(places.some(({ place }) => place.startsWith("seen/prompt"))).toBe(true);

  const found = given.flatMap(({ way, sample }) => {
    const hits = places.filter(({ text }) => piecesOf(sample.secret).some((piece) => text.includes(piece)));
    return hits.length === 0
      ? []
      : [
          `${way} · ${sample.format} · ${hits.map(({ place }) => place).join(", ")} · ${sample.text.slice(0, 200)}`,
        ];
  });
  console.log(`${found.length} of ${given.length} found\n${found.join("\n")}`);
  expect(given.length).toBeGreaterThanOrEqual(count);
  expect(found.length / given.length, found.join("\n")).toBeLessThanOrEqual(mostFound);
});

/** The secret as it stands in a file or in JSON; of one with several lines, each line. */
function piecesOf(secret: string): string[] {
  const lines = secret.split(/\n|\\n/);
  return lines.length > 1
    ? lines.filter((line) => line.length >= 20)
    : [secret, JSON.stringify(secret).slice(1, -1)];
}

/** What a shell would change inside of double quotes, or JSON inside of a script. */
function shellSafe(text: string): string {
  return text.replaceAll("\n", " ").replace(/["'\\$`!%]/g, "");
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
}
