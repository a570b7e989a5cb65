import { RalphError } from "../../../domain/ralph-error.js";
import { numberOfTaskId } from "../../../domain/tasks/task.js";
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
    const isReviewed = !isPromoted;
    const isTask = numberOfTaskId(source) !== undefined;
    const loop = isTask ? undefined : readLoop(source);
    const { learnings } = await openMemory();
    const result = isTask
      ? await learnings.learnFromTask(source, { isReviewed })
      : await learnings.learnFromLoop(loop, { isReviewed });
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

function readLoop(file: string): unknown {
  const text = readDocument(file);
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    throw new RalphError("file-unusable", `${file === "-" ? "Standard input" : file} is not JSON`, {
      hint: "it should be one loop with loopId, objective and iterations; nothing was changed",
      cause,
    });
  }
}
