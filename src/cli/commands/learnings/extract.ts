import { RalphError } from "../../../domain/ralph-error.js";
import type { LoopState } from "../../../domain/tasks/loop-state.js";
import { numberOfTaskId } from "../../../domain/tasks/task.js";
import type { Memory } from "../../../memory/memory.js";
import { extractLearnings } from "../../../semantic/extract/extract-learnings.js";
import { parseLoopState } from "../../../semantic/extract/parse-loop-state.js";
import type { PipelineResult } from "../../../semantic/staging/run-pipeline.js";
import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { readDocument } from "../../input/read-document.js";
import { renderJson } from "../../output/terminal/json.js";

export const extractCommand = defineCommand({
  summary: "extract learnings from a task, or from the history of a loop",
  description:
    "What is found is staged for review. With --promote it is validated and promoted at once, as happens by itself when a\n" +
    "task of this memory ends. A loop is JSON with loopId, objective, status and iterations, each with its status.",
  arguments: [{ name: "source", summary: 'a task such as task-001, a file, or "-" for standard input' }],
  options: { promote: { kind: "flag", summary: "validate and promote what is found" } },
  formats: ["table", "json"],
  examples: [
    "ralph learnings extract task-001",
    "ralph learnings extract .aiwg/ralph-external/state.json --promote",
    "ralph learnings extract - < loop.json",
  ],
  async run({ arguments: [source = ""], options, format, terminal, openMemory }) {
    const { promote: isPromoted } = options;
    const isTask = numberOfTaskId(source) !== undefined;
    const loop = isTask ? undefined : readLoop(source);
    const memory = await openMemory();
    const result =
      loop === undefined
        ? await memory.learnFromTask(source, { isReviewed: !isPromoted })
        : await learnFromLoop(memory, loop, isPromoted);
    if (format === "json") terminal.out(renderJson(result));
    else {
      const { extracted, promoted, rejected, skipped } = result;
      terminal.out(`${counted(extracted, "learning")} extracted\n`);
      if (isPromoted) {
        const deleted = skipped === 0 ? "" : `, ${skipped} skipped (deleted before)`;
        terminal.out(`${promoted} promoted, ${rejected} rejected${deleted}\n`);
      } else if (extracted > 0) terminal.talk('Staged; "ralph learnings review" decides on them\n');
    }
    return 0;
  },
});

function readLoop(file: string): LoopState {
  const text = readDocument(file);
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    throw new RalphError("file-unusable", `${file === "-" ? "Standard input" : file} is not JSON`, {
      hint: "it should be one loop with loopId, objective and iterations; nothing was changed",
      cause,
    });
  }
  return parseLoopState(value);
}

async function learnFromLoop(memory: Memory, loop: LoopState, isPromoted: boolean): Promise<PipelineResult> {
  if (isPromoted) return memory.runPipeline(loop);
  const staged = await memory.stageLearnings(extractLearnings(loop));
  return { extracted: staged.length, validated: 0, rejected: 0, promoted: 0, skipped: 0 };
}
