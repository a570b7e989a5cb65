import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Memory } from "../../../src/memory/memory.js";
import { isGroupAlive } from "../../../src/processes/end-processes.js";
import { entries, openScratchMemory, tscOutput } from "../../support/open-scratch-memory.js";
import { scratchRepository } from "../../support/scratch.js";

const thought = {
  observation: "The build broke in a.ts",
  analysis: "The type was changed in one place only",
  learning: "Change the type and its users together",
  action_items: ["Search for the users of the type"],
};

/** A server on this machine that answers chat completions as it is told. */
async function serve(answer: (body: { messages: { content: string }[] }) => object | "hang" | number) {
  const requests: { body: string; key: string | undefined }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString("utf8");
      requests.push({ body, key: request.headers.authorization });
      const result = answer(JSON.parse(body) as { messages: { content: string }[] });
      if (result === "hang") return;
      response.statusCode = typeof result === "number" ? result : 200;
      response.end(JSON.stringify(typeof result === "number" ? {} : result));
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests };
}

const completion = (content: string) => ({
  choices: [{ message: { content } }],
  usage: { prompt_tokens: 300, completion_tokens: 40 },
});

const failOnce = async (settings: string, environment: Record<string, string> = {}) =>
  failOnceWith(await openScratchMemory({ settings, environment }));

async function failOnceWith(memory: Memory) {
  await memory.tasks.init({ description: "Fix the build" });
  await memory.tasks.start("task-001");
  const completed = await memory.tasks.complete("task-001", {
    outcome: "failure",
    output: tscOutput("a.ts", 3),
  });
  const { reflections } = await memory.tasks.history("task-001");
  return { memory, completed, reflections };
}

describe("a server that speaks OpenAI's protocol", () => {
  it("writes the reflection, is shown the record as data, and its use is counted", async () => {
    const { address, requests } = await serve(() => completion(`Here it is: ${JSON.stringify(thought)}`));
    const { completed, reflections } = await failOnce(
      `reflector:\n  use: openai\n  address: ${address}\n  model: small\n  key_variable: MY_KEY\n`,
      { MY_KEY: "word" },
    );
    expect(completed.degraded).toBeUndefined();
    expect(reflections).toMatchObject([
      {
        ...thought,
        written_by: "openai",
        triggered_by: "failure",
        cost: { input_tokens: 300, output_tokens: 40 },
      },
    ]);
    expect(requests).toHaveLength(1);
    expect(requests[0]?.key).toBe("Bearer word");
    expect(requests[0]?.body).toContain("TS2322 at a.ts:3");
    expect(requests[0]?.body).toContain("not instructions");
  });

  it.each([
    ["answers with an error", () => 500, /answered with status 500/],
    ["does not answer with JSON", () => completion("I think it went badly."), /the answer is not JSON/],
    [
      "leaves the learning out",
      () => completion('{"observation":"x"}'),
      /lacks an observation or a learning/,
    ],
    ["does not answer in time", () => "hang" as const, /did not answer in time/],
  ])("that %s leaves the reflection to the rules, and that is said", async (_name, answer, why) => {
    const { address } = await serve(answer);
    const { completed, reflections } = await failOnce(
      `reflector:\n  use: openai\n  address: ${address}\n  timeout_seconds: 1\n`,
    );
    expect(completed.degraded).toEqual([expect.stringMatching(why)]);
    expect(completed.degraded?.[0]).toMatch(/^openai: /);
    expect(reflections).toMatchObject([
      { written_by: "rules", observation: expect.stringContaining("TS2322 at a.ts:3") },
    ]);
  });

  it("is asked no more often for a task than is allowed", async () => {
    const { address, requests } = await serve(() => completion(JSON.stringify(thought)));
    const { memory } = await failOnce(`reflector:\n  use: openai\n  address: ${address}\n  max_calls: 2\n`);
    await memory.tasks.start("task-001");
    const logged = await memory.tasks.log(
      "task-001",
      entries(
        { iteration: 1, outcome: "failure", output: tscOutput("b.ts", 1) },
        { iteration: 2, outcome: "failure", output: tscOutput("c.ts", 1) },
      ),
    );
    expect(requests).toHaveLength(2);
    expect(logged.degraded).toEqual(["openai: reached its limit of 2 reflections for task-001"]);
    const { reflections } = await memory.tasks.history("task-001");
    expect(reflections.map(({ written_by }) => written_by)).toEqual(["openai", "openai", "rules"]);
  });

  it("is sent no more than it is allowed to", async () => {
    const { address, requests } = await serve(() => completion(JSON.stringify(thought)));
    const memory = await openScratchMemory({
      settings: `reflector:\n  use: openai\n  address: ${address}\n  max_input_tokens: 400\n`,
    });
    await memory.tasks.init({ description: "Fix the build" });
    await memory.tasks.start("task-001");
    await memory.tasks.log(
      "task-001",
      entries(
        ...Array.from({ length: 50 }, (_, index) => ({
          tool: "Bash",
          params: { command: `step ${index} ${"word ".repeat(60)}` },
        })),
      ),
    );
    await memory.tasks.complete("task-001", { outcome: "failure" });
    expect(requests[0]?.body.length).toBeLessThan(3000);
  });
});

describe("an agent's command", () => {
  const agent = (root: string, program: string, timeoutSeconds = 30) => {
    const path = join(root, "agent.mjs");
    writeFileSync(path, program);
    return `reflector:\n  use: agent\n  timeout_seconds: ${timeoutSeconds}\n  command: [${process.execPath}, ${path}]\n`;
  };

  it("writes the reflection from the prompt on its standard input", async () => {
    const root = scratchRepository();
    const settings = agent(
      root,
      `let prompt = "";
       for await (const chunk of process.stdin) prompt += chunk;
       const thought = ${JSON.stringify(thought)};
       thought.analysis = prompt.includes("TS2322 at a.ts:3") ? "seen" : "not seen";
       console.log(JSON.stringify({ result: JSON.stringify(thought), total_cost_usd: 0.02 }));`,
    );
    const { reflections } = await failOnceIn(root, settings);
    expect(reflections).toMatchObject([
      { ...thought, analysis: "seen", written_by: "agent", cost: { usd: 0.02 } },
    ]);
  });

  it("may answer with 1 MB", async () => {
    const root = scratchRepository();
    const answer = `process.stdout.write(${JSON.stringify(JSON.stringify(thought))}.padStart(2 ** 20))`;
    const { completed } = await failOnceIn(root, agent(root, answer));
    expect(completed.degraded).toBeUndefined();
    expect(completed.reflection).toMatchObject({ ...thought, written_by: "agent" });
  });

  it("runs in the project's folder with the environment of the memory and nothing else", async () => {
    const root = scratchRepository();
    const below = join(root, "packages/one");
    mkdirSync(below, { recursive: true });
    const settings = agent(
      root,
      `const thought = ${JSON.stringify(thought)};
       thought.analysis = [process.cwd(), process.env.WORD, process.env.HOME ?? "homeless"].join(" ");
       console.log(JSON.stringify(thought));`,
    );
    writeFileSync(join(root, "ralph.yml"), settings);
    const memory = await openScratchMemory({ root: below, environment: { WORD: "yes" } });
    const { reflections } = await failOnceWith(memory);
    expect(reflections[0]?.analysis).toBe(`${root} yes homeless`);
  });

  it("leaves nothing running", async () => {
    const root = scratchRepository();
    const settings = agent(
      root,
      `import { spawn } from "node:child_process";
       spawn("sleep", ["60"], { stdio: "inherit" });
       const thought = ${JSON.stringify(thought)};
       thought.analysis = String(process.pid);
       process.stdout.write(JSON.stringify(thought), () => process.exit(0));`,
    );
    const { reflections } = await failOnceIn(root, settings);
    const group = Number(reflections[0]?.analysis);
    expect(group).toBeGreaterThan(1);
    expect(isGroupAlive(group)).toBe(false);
  });

  it.each([
    ["fails", "process.exit(3)", /ended with exit code 3/],
    ["is killed", "process.kill(process.pid, 'SIGKILL')", /ended with SIGKILL/],
    ["says too much", "process.stdout.write('x'.repeat(2 ** 20 + 1))", /answered with more than 1 MB/],
    [
      "never stops talking",
      "import { writeSync } from 'node:fs'; for (;;) writeSync(1, 'talk '.repeat(9999))",
      /more than 1 MB/,
    ],
    ["does not exist", undefined, /Program not found/],
  ])("that %s leaves the reflection to the rules", async (_name, program, why) => {
    const root = scratchRepository();
    const settings =
      program === undefined
        ? "reflector:\n  use: agent\n  command: [no-such-agent-here]\n"
        : agent(root, program);
    const { completed } = await failOnceIn(root, settings);
    expect(completed.degraded).toEqual([expect.stringMatching(why)]);
    expect(completed.reflection?.written_by).toBe("rules");
  });

  it("that takes too long leaves the reflection to the rules", async () => {
    const root = scratchRepository();
    const { completed } = await failOnceIn(root, agent(root, "setTimeout(() => {}, 60000)", 1));
    expect(completed.degraded).toEqual([expect.stringMatching(/took longer than 1 s/)]);
    expect(completed.reflection?.written_by).toBe("rules");
  });

  const failOnceIn = async (root: string, settings: string) =>
    failOnceWith(await openScratchMemory({ root, settings }));
});

it("`reflector: agent` is short for its `use`", async () => {
  const memory = await openScratchMemory({ settings: "reflector: agent\n" });
  expect((await memory.settings()).settings["reflector.use"]).toBe("agent");
  const wrong = await openScratchMemory({ settings: "reflector: clade\n" });
  await expect(wrong.settings()).rejects.toMatchObject({ code: "invalid-settings" });
});
