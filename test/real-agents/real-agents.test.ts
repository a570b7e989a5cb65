import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isGroupAlive } from "../../src/processes/end-processes.js";
import { listProcesses } from "../../src/processes/process-table.js";
import { runRalph } from "../support/run-ralph.js";
import { git } from "../support/scratch.js";
import { describeAgent } from "./describe-agent.js";
import { type ScriptedModel, startModelServer } from "./models/model-server.js";
import { claude, codex, type RealAgent } from "./real-agent.js";
import { scratchProject } from "./scratch-project.js";

const promise = { text: "All is done.\n\n<promise>COMPLETE</promise>" };
const note = "Numbers are summed in sum.mjs, and its tests say what is right";
/** What the failing test prints, and nothing else does. */
const failure = "-1 !== 5";
const limits = ["--max-iterations", "3", "--timeout", "2m"];

/** Knows what to do only when the prompt says what the verification said. */
function slowLearner(agent: RealAgent, root: string): ScriptedModel {
  return ({ prompt, toolResults }) => {
    const plan = prompt.includes(failure) ? agent.mend(root) : [agent.runTest, agent.addFile(root)];
    return plan[toolResults.length] ?? promise;
  };
}

async function setUp(
  agent: RealAgent,
  program: string,
  { signal, model }: { signal: AbortSignal; model: (root: string) => ScriptedModel },
) {
  const project = scratchProject(agent.name, program);
  const server = await startModelServer(agent.protocol, model(project.root));
  onTestFinished(server.stop);
  const env = { ...project.environment, ...agent.connect(project, server.address) };
  const ralph = (...args: string[]) => runRalph(args, { cwd: project.root, env, signal });
  return {
    ...project,
    requests: server.requests,
    ralph,
    async run(...args: string[]) {
      const run = await ralph("run", "Make the sum add", "--agent", agent.name, ...limits, ...args, "--json");
      const events = run.stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
      const ended = events.find(({ event }) => event === "run-ended");
      expect(ended, `${run.stdout}\n${run.stderr}`).toBeDefined();
      return { status: run.status, events, ended };
    },
  };
}

function defineForEach(agent: RealAgent, program: string): void {
  it("is run until the task is verified, with a fresh mind and what was remembered", async ({ signal }) => {
    const { root, ralph, run, requests, starts } = await setUp(agent, program, {
      signal,
      model: (folder) => slowLearner(agent, folder),
    });
    await ralph("memory", "add", note, "--type", "context", "--tags", "sum");
    const { status, events, ended } = await run("--verify", "node --test", "--allow-all");

    expect(ended).toMatchObject({ end: { kind: "completed" }, attempts: 1, iterations: 2 });
    expect(status).toBe(0);
    expect(git(root, "diff", "--unified=0", "sum.mjs")).toContain("+export const sum = (a, b) => a + b;");

    // The promise of the first iteration does not count: its verification fails.
    const verdicts = events.filter(({ event }) => event === "iteration-ended");
    expect(verdicts).toMatchObject([
      { verdict: "failed", quality: 0, reason: expect.stringContaining("the agent said it was done, but") },
      { verdict: "completed", quality: 1, changed_files: ["sum.mjs"] },
    ]);

    const sessions = [...new Set(requests.map(({ session }) => session))];
    expect(sessions).toHaveLength(2);
    const [first, second] = sessions.map((each) => requests.find(({ session }) => session === each));
    for (const request of [first, second]) {
      expect(request?.prompt).toContain("# Task\n\nMake the sum add");
      expect(fencedIn(request?.prompt)).toContain(note);
      expect(request?.toolResults).toEqual([]);
    }
    expect(first?.prompt).not.toContain(failure);
    const fenced = fencedIn(second?.prompt);
    expect(fenced).toContain("$ node --test");
    expect(fenced).toContain("## What this task has taught so far\n- Attempt 1, iteration 1: ");
    expect(fenced).toMatch(/Editing seen\.txt.* was not enough/);

    const { attempts } = JSON.parse((await ralph("history", "task-001", "--json")).stdout);
    const tools = [agent.recorded.runTest, agent.recorded.addFile, ...agent.recorded.mend];
    const actions = attempts[0].actions.filter(
      ({ params }: { params: { from?: string } }) => params.from !== "check",
    );
    expect(actions).toHaveLength(tools.length);
    expect(actions).toMatchObject(
      tools.map((tool, at) => ({ tool, success: at > 0, iteration: at < 2 ? 1 : 2 })),
    );
    expect(actions[0]).toMatchObject({
      params: { command: "node --test" },
      reasoning: agent.runTest.text,
    });
    expect(JSON.stringify(actions[0])).toContain(failure);
    expect(Object.values(actions[1].params)).toContain("seen.txt");
    expect(Object.values(actions.at(-1).params)).toContain("sum.mjs");
    expect(JSON.stringify(attempts)).not.toContain(root);
    const times = actions.map(({ timestamp }: { timestamp: string }) => timestamp);
    expect(times).toEqual([...times].sort());
    const [began, done] = ["tool-started", "action"].map((kind) =>
      events.flatMap(({ event, tool }) => (event === kind ? [tool] : [])),
    );
    expect(began).toEqual(tools);
    expect(done).toEqual(tools);

    const { input, output } = agent.usage;
    expect(ended.usage).toMatchObject({
      input_tokens: requests.length * input,
      output_tokens: requests.length * output,
    });
    if (agent.tellsCost) expect(ended.usage.cost_usd).toBeGreaterThan(0);
    else expect(ended.usage).not.toHaveProperty("cost_usd");

    expect(starts()).toHaveLength(2);
    for (const { pid, args } of starts()) {
      expect(args).toContain(agent.dangerousFlag);
      expect(args.join(" ")).not.toContain("Make the sum add");
      expect(isGroupAlive(pid)).toBe(false);
    }
  });

  it("is not allowed everything unless the user says so", async ({ signal }) => {
    const { run, starts } = await setUp(agent, program, { signal, model: () => () => promise });
    const { status } = await run("--verify", "node --version");
    expect(status).toBe(0);
    expect(starts()).toHaveLength(1);
    expect(starts()[0]?.args.join(" ")).toContain(agent.carefulFlags.join(" "));
    expect(starts()[0]?.args.filter((each) => /danger|bypass|yolo/.test(each))).toEqual([]);
  });

  it("goes on after an agent that ended without a promise", async ({ signal }) => {
    const { run, requests } = await setUp(agent, program, {
      signal,
      model:
        () =>
        ({ prompt }) =>
          prompt.includes("iteration 2 of")
            ? promise
            : { text: "I will say <promise>COMPLETE</promise> later." },
    });
    const { status, ended } = await run();
    expect(status).toBe(0);
    expect(ended).toMatchObject({ iterations: 2, end: { kind: "completed" } });
    expect(requests).toHaveLength(2);
  });

  it("leaves nothing behind when it is stopped in the middle of a command", async ({ signal }) => {
    const { root, ralph, run, starts } = await setUp(agent, program, {
      signal,
      model: () => () => agent.runLong("echo $$ > pid.txt; sleep 300; echo over"),
    });
    const running = run("--verify", "node --test", "--allow-all");
    const command = await expect
      .poll(() => readFileSync(join(root, "pid.txt"), "utf8").trim(), { timeout: 60_000 })
      .not.toBe("")
      .then(() => Number(readFileSync(join(root, "pid.txt"), "utf8")));
    expect((await ralph("stop")).status).toBe(0);
    const { status, ended } = await running;
    expect(status).toBe(130);
    expect(ended).toMatchObject({ end: { kind: "interrupted" } });
    expect(isGroupAlive(starts()[0]?.pid ?? 0)).toBe(false);
    expect(
      listProcesses()?.filter(({ pid, parent, state }) => [pid, parent].includes(command) && state !== "Z"),
    ).toEqual([]);
  });
}

/** What of a prompt is fenced as data. */
function fencedIn(prompt = ""): string {
  return (prompt.match(/<ralph-memory(-\d{9})>[\s\S]*?<\/ralph-memory\1>/g) ?? []).join("\n");
}

await describeAgent(claude.name, (program) => {
  defineForEach(claude, program);

  it("tells what it was not permitted to do, which is recorded as a failure", async ({ signal }) => {
    const { root, ralph, run } = await setUp(claude, program, {
      signal,
      model:
        (folder) =>
        ({ toolResults }) =>
          [
            { text: "I try.", call: { tool: "Bash", input: { command: "node -p 1 > made.txt" } } },
            ...claude.mend(folder),
          ][toolResults.length] ?? promise,
    });
    const { status, events } = await run("--verify", "node --test");
    expect(status).toBe(0);
    expect(existsSync(join(root, "made.txt"))).toBe(false);
    expect(events).toContainEqual({ event: "problem", message: "permission denied to the agent: Bash" });
    const { attempts } = JSON.parse((await ralph("history", "task-001", "--json")).stdout);
    expect(attempts[0].actions).toMatchObject([
      { tool: "Bash", success: false },
      { tool: "Read", success: true },
      { tool: "Edit", success: true },
      { tool: "Bash", success: true, params: { from: "check" } },
    ]);
  });

  it("is waited for while something runs in its background, and all of it is counted", async ({ signal }) => {
    const { run, requests } = await setUp(claude, program, {
      signal,
      model:
        () =>
        ({ prompt, toolResults }) => {
          if (prompt.includes("<task-notification>")) return promise;
          const input = { command: "sleep 1", description: "Sleep", run_in_background: true };
          return toolResults.length === 0
            ? { text: "I begin.", call: { tool: "Bash", input } }
            : { text: "I wait for it." };
        },
    });
    const { status, ended } = await run("--allow-all");
    expect(status).toBe(0);
    expect(ended).toMatchObject({ iterations: 1, end: { kind: "completed" } });
    expect(requests).toHaveLength(3);
    expect(ended.usage.input_tokens).toBe(3 * claude.usage.input);
  });
});

await describeAgent(codex.name, (program) => defineForEach(codex, program));
