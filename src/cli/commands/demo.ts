import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { userHome } from "../../config/paths.js";
import type { Environment } from "../../domain/environment.js";
import { findProject } from "../../files/find-project.js";
import type { LoopEvent } from "../../loop/loop-event.js";
import { runLoop } from "../../loop/run-loop.js";
import { prepareRun } from "../../loop/start/prepare-run.js";
import { openMemory } from "../../memory/open-memory.js";
import { projectTrust } from "../../memory/project/project-trust.js";
import { withoutControls } from "../../text/control-characters.js";
import { counted } from "../../text/counted.js";
import { defineCommand } from "../framework/command.js";
import { flag } from "../framework/options.js";
import { renderJson } from "../output/terminal/style.js";
import { makeScratchProject } from "./demo-project.js";

export const demoCommand = defineCommand({
  summary: "see Ralph work in a scratch repository",
  description:
    "A scripted agent fails a task, Ralph reflects on the failure, the next attempt uses the reflection and passes the real\n" +
    "test, and a similar task starts with the lesson. Takes a few seconds; needs no API key, network or coding agent.",
  options: { keep: flag("keep the scratch repository") },
  examples: ["ralph demo", "ralph demo --keep"],
  async run({ options, format, terminal, environment }) {
    const folder = mkdtempSync(join(tmpdir(), "ralph-demo-"));
    const steps: { step: string; result: string }[] = [];
    const showStep = (step: string, result: string) => {
      steps.push({ step, result });
      if (format === "table")
        terminal.out(`${steps.length}. ${withoutControls(step)}\n${indent(withoutControls(result))}\n\n`);
    };
    try {
      await playDemo(folder, { environment, isKept: options.keep, showStep });
      if (format === "json") terminal.out(renderJson(steps));
    } finally {
      if (options.keep) terminal.talk(`The repository was kept in ${folder}\n`);
      else rmSync(folder, { recursive: true, force: true });
    }
  },
});

function indent(text: string): string {
  return text
    .split("\n")
    .map((line) => `   ${line}`)
    .join("\n");
}

type ShowStep = (step: string, result: string) => void;

interface Demo {
  folder: string;
  environment: Environment;
  showStep: ShowStep;
}

/** A task fails, is reflected on and succeeds, and a similar task uses the lesson. */
async function playDemo(
  folder: string,
  { environment, isKept, showStep }: { environment: Environment; isKept: boolean; showStep: ShowStep },
): Promise<void> {
  const { hasGit } = await makeScratchProject(folder);
  if (isKept) makeOwnStore(folder, environment);
  const demo = {
    folder,
    showStep,
    environment: { ...environment, RALPH_HOME: join(folder, "user-home"), RALPH_TRUST: "1" },
  };
  showStep(
    "A scratch project: two price totals, each with a failing test, and a scripted agent that only knows its prompt.",
    hasGit ? folder : `${folder} (without Git, which is not installed)`,
  );
  const first = await runTask(demo, "Fix the failing test of the cart total", "node --test cart.test.js");
  const second = await runTask(
    demo,
    "Fix the failing test of the cart total with shipping",
    "node --test shipping.test.js",
  );
  showStep(
    "The second task started with what was learned from the first.",
    `${counted(first.iterations, "iteration")} without it, ${counted(second.iterations, "iteration")} with it. (The agent is scripted: to measure real agents, run ralph metrics on your own tasks.)`,
  );
  await show(demo, "The record of the first task:", "history", "task-001");
  if (first.learned !== undefined)
    await show(
      demo,
      "Where the lesson comes from, and which tasks used it:",
      "learnings",
      "why",
      first.learned,
    );
  await show(demo, "Whether memory helps:", "metrics");
}

/** The demo has a home of its own; what is kept belongs to the user. */
function makeOwnStore(folder: string, environment: Environment): void {
  const ralphHome = userHome(environment);
  const folders = findProject(folder, { userHome: ralphHome });
  const trust = projectTrust({ folders, ralphHome, environment, isTrusted: false, notify: () => undefined });
  trust.makeStoreFolder(trust.findStoreFolder().path);
}

async function runTask(
  { folder, environment, showStep }: Demo,
  description: string,
  verify: string,
): Promise<{ iterations: number; learned: string | undefined }> {
  const memory = await openMemory({ root: folder, environment });
  let ended: Extract<LoopEvent, { event: "run-ended" }> | undefined;
  const emit = (event: LoopEvent) => {
    const shown = describe(event);
    if (shown !== undefined) showStep(...shown);
    if (event.event === "run-ended") ended = event;
  };
  try {
    const request = { verify: [verify], agent: "scripted", maxIterations: 1, attempts: 3 };
    const prepared = await prepareRun(request, memory, environment);
    const task = await memory.tasks.init({ description });
    showStep(`ralph run "${description}" --verify "${verify}" --attempts 3`, `${task.id} started`);
    const never = new AbortController().signal;
    const clock = () => new Date();
    await runLoop(
      { memory, root: folder, environment, clock, emit, stop: never, kill: never },
      { task, ...prepared },
    );
  } finally {
    await memory.close();
  }
  return {
    iterations: ended?.iterations ?? 0,
    learned: ended?.learned.find(({ type }) => type === "strategy")?.id,
  };
}

/** The events worth showing. */
function describe(event: LoopEvent): [step: string, result: string] | undefined {
  switch (event.event) {
    case "iteration-started":
      return event.brief_tokens === 0
        ? undefined
        : [
            "The agent's prompt contains a brief.",
            `${event.brief_tokens} tokens${event.shown.length > 0 ? `, with ${event.shown.join(", ")}` : ", with the task's own reflections"}`,
          ];
    case "iteration-ended":
      return [
        event.verdict === "completed"
          ? "The real test passes."
          : "The agent says it is done, but the real test fails.",
        event.reason,
      ];
    case "attempt-ended":
      return event.end.kind === "completed" || event.reflection === undefined
        ? undefined
        : [
            "Ralph reflects on the attempt.",
            [event.reflection.observation, ...event.reflection.action_items].join("\n"),
          ];
    case "run-ended":
      return event.learned.length === 0
        ? undefined
        : [
            event.learned.some(({ isNew }) => isNew) ? "What was learned:" : "A known lesson was confirmed:",
            event.learned.map(({ id, type, statement }) => `${id} ${type}: ${statement}`).join("\n"),
          ];
    default:
      return undefined;
  }
}

/** Runs the real command. */
async function show(
  { folder, environment, showStep }: Demo,
  step: string,
  ...words: string[]
): Promise<void> {
  const program = process.argv[1] ?? "";
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words, "--root", folder], {
    env: environment as NodeJS.ProcessEnv,
  });
  showStep(`${step} ralph ${words.join(" ")}`, stdout.trimEnd());
}
