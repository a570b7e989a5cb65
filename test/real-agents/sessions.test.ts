import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sqlitePath } from "../../src/store/sqlite/open-sqlite-store.js";
import { loadSqliteEngine } from "../../src/store/sqlite/sqlite-driver.js";
import { eventually } from "../support/eventually.js";
import { installAgent } from "./install-agent.js";
import { type ModelAnswer, type ModelRequest, type ScriptedModel, saidAside } from "./models/model-server.js";
import { claude } from "./sessions/claude.js";
import { codex } from "./sessions/codex.js";
import { gemini } from "./sessions/gemini.js";
import { hasTerminals, runInTerminal } from "./sessions/in-terminal.js";
import { openPlace } from "./sessions/open-place.js";
import { opencode } from "./sessions/opencode.js";
import type { SessionAgent } from "./sessions/session-agent.js";

const agents: SessionAgent[] = [claude, codex, gemini, opencode];
const installed = await Promise.all(agents.map(({ name }) => installAgent(name)));

const note = "Wombats are counted at night";
const objective = "Count the wombats of this park";
const done: ModelAnswer = { text: "The wombats are counted." };
const maxHookMs = 2000;

/** Fills the context of any of the models. */
const fullTokens = 990_000;

/** Calls one tool after the other, and is done. */
function steps(...calls: NonNullable<ModelAnswer["call"]>[]): ScriptedModel {
  return ({ toolResults }) => {
    const call = calls[toolResults.length];
    return call === undefined ? done : { text: "I go on.", call };
  };
}

/** What hooks have told the model, as Ralph wrote it. */
function memoryIn(agent: SessionAgent, request: ModelRequest | undefined): string {
  const told = request === undefined ? "" : agent.told(request);
  const plain = told.replaceAll("&lt;", "<").replaceAll("&gt;", ">");
  return (plain.match(/<ralph-memory>[\s\S]*?<\/ralph-memory>/g) ?? []).join("\n");
}

describe.each(agents.map((agent, at) => ({ agent, name: agent.name, found: installed[at] })))(
  "a session of $name",
  ({ agent, found }) => {
    const program = found !== undefined && "program" in found ? found.program : "";
    if (found !== undefined && "missing" in found) console.warn(`skipped: ${found.missing}`);
    const open = async (model: ScriptedModel) => {
      const place = await openPlace(agent, program, model);
      writeFileSync(join(place.root, "count.mjs"), 'import "./wombats.mjs";\n');
      writeFileSync(
        join(place.root, "find.mjs"),
        'import { writeFileSync } from "node:fs";\nwriteFileSync("wombats.mjs", "");\n',
      );
      await place.connect();
      await place.ralph("memory", "add", note);
      return place;
    };

    it.skipIf(program === "")("has its memory, is recorded, and teaches the next one", async () => {
      const { session, read } = await open(
        steps(...["node count.mjs", "node find.mjs", "node count.mjs"].map(agent.shell)),
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
        description: expect.stringContaining(objective),
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

    it.skipIf(program === "")("is offered the tools of the server, and calls them", async () => {
      const [remember, recall] = ["remember", "recall"].map(agent.toolName) as [string, string];
      const { session, read } = await open(
        steps(
          { tool: remember, input: { content: "A wombat sleeps by day", type: "context" } },
          { tool: recall, input: { objective: "When does a wombat sleep?" } },
        ),
      );
      const { requests } = await session(agent.ask(objective));
      expect(requests[0]?.toolNames).toEqual(expect.arrayContaining([remember, recall]));
      expect(requests.at(-1)?.toolResults.at(-1)).toContain("A wombat sleeps by day");
      expect((await read("memory", "list")).map(({ content }: { content: string }) => content)).toContain(
        "A wombat sleeps by day",
      );
    });

    const { compactsBy } = agent;
    it.runIf(program !== "" && compactsBy === undefined)(
      "has its memory again after a compaction",
      async () => {
        let answers = 0;
        const { session } = await open(() => {
          answers += 1;
          if (answers > 2) return done;
          const usedTokens = answers === 2 ? fullTokens : 1000;
          return { text: "I go on.", call: agent.shell("pwd"), usedTokens };
        });
        const { requests } = await session(agent.ask(objective));
        const after = requests.filter(({ body }) => body.includes(saidAside));
        expect(after).not.toEqual([]);
        for (const request of after) expect(memoryIn(agent, request)).toContain(note);
      },
    );

    it.runIf(program !== "" && compactsBy !== undefined && hasTerminals)(
      "has its memory again after a compaction in a terminal",
      async () => {
        const { args = [], command = "", isDone = "" } = compactsBy ?? {};
        const place = await open(() => done);
        const { enter } = runInTerminal(program, args, { cwd: place.root, env: place.environment });
        const isAnswered = (requests: number) => () => place.requests.length === requests;
        await eventually(() => place.hookRuns().length > 0);
        await enter(objective, isAnswered(1));
        expect(memoryIn(agent, place.requests[0])).toContain(note);
        await enter(command, (output) => output.includes(isDone));
        await enter("When are wombats counted?", isAnswered(2));
        expect(place.requests[1]?.body).toContain(saidAside);
        expect(memoryIn(agent, place.requests[1])).toContain(note);
      },
    );

    it.skipIf(program === "").each(["locked", "damaged", "gone"])(
      "is not kept waiting by a database that is %s",
      async (fault) => {
        const { root, session, hookRuns } = await open(steps(agent.shell("node find.mjs")));
        const path = sqlitePath(join(root, ".ralph"));
        if (fault === "locked") {
          const database = (await loadSqliteEngine()).open(path);
          onTestFinished(() => database.close());
          database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
        } else {
          for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
          if (fault === "damaged") writeFileSync(path, "no database at all ".repeat(5000));
        }
        const { output } = await session(agent.ask(objective));
        console.log(
          fault,
          agent.name,
          hookRuns(),
          existsSync(join(root, ".ralph/ralph.log")) && readFileSync(join(root, ".ralph/ralph.log"), "utf8"),
        );
        expect(output).toContain(done.text);
        expect(hookRuns()).not.toEqual([]);
        expect(hookRuns().filter(({ tookMs }) => tookMs > maxHookMs)).toEqual([]);
      },
    );

    it.skipIf(program === "")("leaves the settings as they were once Ralph is removed", async () => {
      const { root, session, ralph } = await open(steps());
      await session(agent.ask(objective));
      const { status } = await ralph("setup", agent.name, "--remove", "--yes");
      expect(status).toBe(0);
      console.log(
        readdirSync(root, { recursive: true })
          .filter((p) => !String(p).startsWith(".git/"))
          .slice(0, 60),
      );
      for (const [path, text] of Object.entries(agent.settings))
        expect(readFileSync(join(root, path), "utf8")).toBe(text);
    });
  },
);
