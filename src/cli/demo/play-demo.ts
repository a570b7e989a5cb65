import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Environment } from "../../domain/environment.js";
import type { LoopEvent } from "../../loop/loop-event.js";
import { runLoop } from "../../loop/run-loop.js";
import { prepareRun } from "../../loop/start/prepare-run.js";
import { openMemory } from "../../memory/open-memory.js";
import { counted } from "../../text/counted.js";
import { makeScratchProject } from "./scratch-project.js";

export type TellStep = (step: string, result: string) => void;

interface Stage {
  folder: string;
  environment: Environment;
  tell: TellStep;
}

/** The whole story in a scratch repository: a task fails, is reflected on, succeeds, and teaches the next one. */
export async function playDemo(folder: string, environment: Environment, tell: TellStep): Promise<void> {
  const { hasGit } = await makeScratchProject(folder);
  const stage = { folder, tell, environment: { ...environment, RALPH_HOME: join(folder, "user-home") } };
  tell(
    "A scratch project: two totals of money, each with a test that fails, and a scripted agent that knows only its prompt.",
    hasGit ? folder : `${folder} (without git, which is not installed)`,
  );
  const first = await runTask(stage, "Fix the failing test of the cart total", "node --test cart.test.js");
  const second = await runTask(
    stage,
    "Fix the failing test of the cart total with shipping",
    "node --test shipping.test.js",
  );
  tell(
    "The second task began with what the first one had taught.",
    `${counted(first.iterations, "iteration")} without it, ${counted(second.iterations, "iteration")} with it. (A scripted agent: the real test of this is ralph metrics on your own tasks.)`,
  );
  await show(stage, "What is on record of the first task:", "history", "task-001");
  if (first.learned !== undefined)
    await show(
      stage,
      "Where the lesson comes from, and what it did since:",
      "learnings",
      "why",
      first.learned,
    );
  await show(stage, "Whether memory helps, in figures:", "metrics");
}

async function runTask(
  { folder, environment, tell }: Stage,
  description: string,
  verify: string,
): Promise<{ iterations: number; learned: string | undefined }> {
  const memory = await openMemory({ root: folder, environment });
  let ended: Extract<LoopEvent, { event: "run-ended" }> | undefined;
  const emit = (event: LoopEvent) => {
    const told = describe(event);
    if (told !== undefined) tell(...told);
    if (event.event === "run-ended") ended = event;
  };
  try {
    const wishes = { verify: [verify], agent: "scripted", maxIterations: 1, attempts: 3 };
    const prepared = await prepareRun(wishes, memory, environment);
    const task = await memory.tasks.init({ description });
    tell(`ralph run "${description}" --verify "${verify}" --attempts 3`, `${task.id} begins`);
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

/** What of a run is worth telling. */
function describe(event: LoopEvent): [step: string, result: string] | undefined {
  switch (event.event) {
    case "iteration-started":
      return event.brief_tokens === 0
        ? undefined
        : [
            "The agent's prompt begins with a brief.",
            `${event.brief_tokens} tokens${event.shown.length > 0 ? `, with ${event.shown.join(", ")}` : ", with the task's own reflections"}`,
          ];
    case "iteration-ended":
      return [
        event.verdict === "completed"
          ? "The real test passes."
          : "The agent says that it is done; the real test says otherwise.",
        event.reason,
      ];
    case "attempt-ended":
      return event.end.kind === "completed" || event.reflection === undefined
        ? undefined
        : [
            "The attempt is reflected on.",
            [event.reflection.observation, ...event.reflection.action_items].join("\n"),
          ];
    case "run-ended":
      return event.learned.length === 0
        ? undefined
        : [
            event.learned.some(({ isNew }) => isNew) ? "What was learned:" : "A lesson was borne out:",
            event.learned.map(({ id, type, statement }) => `${id} ${type}: ${statement}`).join("\n"),
          ];
    default:
      return undefined;
  }
}

/** A real command, as a user would call it. */
async function show({ folder, environment, tell }: Stage, step: string, ...words: string[]): Promise<void> {
  const program = process.argv[1] ?? "";
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words, "--root", folder], {
    env: environment as NodeJS.ProcessEnv,
  });
  tell(`${step} ralph ${words.join(" ")}`, stdout.trimEnd());
}
