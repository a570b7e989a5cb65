import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, it } from "vitest";
import { eventually } from "../support/eventually.js";
import { describeAgent } from "./describe-agent.js";
import { type ModelAnswer, type ModelRequest, type ScriptedModel, saidAside } from "./models/model-server.js";
import { claude } from "./sessions/claude.js";
import { codex } from "./sessions/codex.js";
import { databaseFaults, spoilDatabase } from "./sessions/database-faults.js";
import { gemini } from "./sessions/gemini.js";
import { hasTerminals, runInTerminal } from "./sessions/in-terminal.js";
import { openPlace } from "./sessions/open-place.js";
import { opencode } from "./sessions/opencode.js";
import type { SessionAgent } from "./sessions/session-agent.js";

const note = "Wombats are counted at night";
const objective = "Count the wombats of this park";
const done: ModelAnswer = { text: "The wombats are counted." };
const files = {
  "count.mjs": 'import "./wombats.mjs";\n',
  "find.mjs": 'import { writeFileSync } from "node:fs";\nwriteFileSync("wombats.mjs", "");\n',
};
/** Tokens that fill the context of any of the models. */
const full = 990_000;
/** What a prompt may be delayed by: the promise in seconds that whoever waits for an agent relies on. */
const maxMs = 2000;

/** A model that calls one tool after the other, and is done. */
function callingOnly(...calls: NonNullable<ModelAnswer["call"]>[]): ScriptedModel {
  return ({ toolResults }) => {
    const call = calls[toolResults.length];
    return call === undefined ? done : { text: "I go on.", call };
  };
}

/** A project whose agent was connected by `ralph setup`, and which has something in memory. */
async function connected(agent: SessionAgent, program: string, model: ScriptedModel) {
  const place = await openPlace(agent, program, model);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place.root, name), text);
  await place.connect();
  await place.ralph("memory", "add", note);
  return place;
}

/** What hooks have told the model, as Ralph wrote it. */
function memoryIn(agent: SessionAgent, request: ModelRequest | undefined): string {
  const told = request === undefined ? "" : agent.told(request);
  const plain = told.replaceAll("&lt;", "<").replaceAll("&gt;", ">");
  return (plain.match(/<ralph-memory(-\d{9})>[\s\S]*?<\/ralph-memory\1>/g) ?? []).join("\n");
}

/** Every file of a project but what Git and Ralph keep, by path. */
function filesOf(root: string): Record<string, string> {
  const paths = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/^\.(?:git|ralph|agent)\//.test(relative(root, path)));
  return Object.fromEntries(paths.map((path) => [relative(root, path), readFileSync(path, "utf8")]));
}

function defineSessions(agent: SessionAgent, program: string): void {
  it("has its memory, is recorded, and teaches the next session", async () => {
    const { session, read } = await connected(
      agent,
      program,
      callingOnly(...["node count.mjs", "node find.mjs", "node count.mjs"].map(agent.shell)),
    );
    const first = await session(agent.ask(objective));
    expect(first.output).toContain(done.text);
    expect(memoryIn(agent, first.requests[0])).toContain(note);

    expect((await read("replay", "task-001")).steps).toMatchObject([
      { type: "bash", success: false, error: expect.stringContaining("wombats.mjs") },
      { success: true, params: { command: "node find.mjs" } },
      { success: true, params: { command: "node count.mjs" } },
    ]);
    expect(await read("history", "task-001")).toMatchObject({
      description: expect.stringMatching(new RegExp(`^"?${objective}"?$`)),
      agent: agent.name,
      status: "completed",
      attempts: [{ outcome: { status: "success" }, execution: { actions_performed: 3, iterations: 1 } }],
      reflections: [expect.anything()],
    });

    const second = await session(agent.ask(`${objective} once more`));
    const memory = memoryIn(agent, second.requests[0]);
    expect(memory).toContain("task-001");
    expect(memory).toContain("node find.mjs");
  });

  it("is offered the tools of the server, and calls them", async () => {
    const [remember, recall] = ["remember", "recall"].map(agent.toolName) as [string, string];
    const content = "A wombat sleeps by day";
    const { session, read } = await connected(
      agent,
      program,
      callingOnly(
        { tool: remember, input: { content, type: "context" } },
        { tool: recall, input: { objective: "When does a wombat sleep?" } },
      ),
    );
    const { requests } = await session(agent.ask(objective));
    expect(requests[0]?.toolNames).toEqual(expect.arrayContaining([remember, recall]));
    expect(requests.at(-1)?.toolResults[1]).toContain(content);
    expect(await read("memory", "list")).toContainEqual(expect.objectContaining({ content }));
  });

  if (agent.compactsBy === undefined) defineCompaction(agent, program);
  else defineCompactionByHand(agent, program, agent.compactsBy);

  it.each(databaseFaults)("is not kept waiting by a database that is %s", async (fault) => {
    const { root, session, hookRuns } = await connected(
      agent,
      program,
      callingOnly(agent.shell("node find.mjs")),
    );
    await spoilDatabase(root, fault);
    const { output, requests } = await session(agent.ask(objective));
    expect(output).toContain(done.text);
    expect(requests.at(-1)?.toolResults).toHaveLength(1);
    const took = hookRuns().map(({ tookMs }) => tookMs);
    const [start = 0, prompt = 0] = took;
    expect(start + prompt, JSON.stringify(hookRuns())).toBeLessThan(maxMs);
    expect(Math.max(...took)).toBeLessThan(maxMs);
    expect(readFileSync(join(root, ".ralph/ralph.log"), "utf8")).toContain(`hook ${agent.name} SessionStart`);
  });

  it("finds its settings as they were once Ralph is removed", async () => {
    const place = await openPlace(agent, program, () => done);
    const before = filesOf(place.root);
    await place.connect();
    await place.session(agent.ask(objective));
    expect(place.hookRuns()).not.toEqual([]);
    expect((await place.ralph("setup", agent.name, "--remove", "--yes")).status).toBe(0);
    const after = filesOf(place.root);
    for (const path of agent.ownFiles) delete after[path];
    expect(after).toEqual(before);
  });
}

/** The context is full in the middle of a task. */
function defineCompaction(agent: SessionAgent, program: string): void {
  it("has its memory again after a compaction", async () => {
    const usedTokens = [1000, full];
    const { session } = await connected(agent, program, () => {
      const used = usedTokens.shift();
      return used === undefined ? done : { text: "I go on.", call: agent.shell("pwd"), usedTokens: used };
    });
    const { requests } = await session(agent.ask(objective));
    const after = requests.filter(({ body }) => body.includes(saidAside));
    expect(after).not.toEqual([]);
    for (const request of after) expect(memoryIn(agent, request)).toContain(note);
  });
}

function defineCompactionByHand(
  agent: SessionAgent,
  program: string,
  { args, command, answer, leave }: NonNullable<SessionAgent["compactsBy"]>,
): void {
  it.runIf(hasTerminals)("has its memory again after a compaction in a terminal", async () => {
    const { root, environment, requests, hookRuns } = await connected(agent, program, () => done);
    const terminal = runInTerminal(program, args, { cwd: root, env: environment });
    await eventually(() => hookRuns().length > 0);
    await terminal.enter(objective, () => requests.length === 1);
    expect(memoryIn(agent, requests[0])).toContain(note);
    await terminal.enter(command, (output) => output.includes(answer));
    await terminal.enter("When are wombats counted?", () => requests.length === 2);
    expect(requests[1]?.body).toContain(saidAside);
    expect(memoryIn(agent, requests[1])).toContain(note);
    await terminal.leave(leave);
  });
}

for (const agent of [claude, codex, gemini, opencode])
  await describeAgent(agent.name, (program) => defineSessions(agent, program));
