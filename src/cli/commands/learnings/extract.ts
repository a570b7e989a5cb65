import { RalphError } from "../../../domain/ralph-error.js";
import { numberOfTaskId } from "../../../domain/tasks/task.js";
import { counted } from "../../../text/counted.js";
import { defineCommand } from "../../framework/command.js";
import { readDocument } from "../../input/read-document.js";
import { renderJson } from "../../output/terminal/json.js";

export const extractCommand = defineCommand({
  summary: "extract learnings from a task or a loop's history",
  description:
    "Extracted learnings are staged for review. With --promote they are validated and promoted right away, as happens\n" +
    "automatically when a task ends. A loop is JSON with loopId, objective, status and iterations, each with a status.",
  arguments: [
    { name: "source", summary: 'task id such as task-001, a JSON file, or "-" for standard input' },
  ],
  options: { promote: { kind: "flag", summary: "validate and promote right away" } },
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
      terminal.out(`Extracted ${counted(extracted, "learning")}\n`);
      if (isPromoted) {
        const deleted = skipped === 0 ? "" : `, ${skipped} skipped (deleted here)`;
        terminal.out(`${promoted} promoted, ${rejected} rejected${deleted}\n`);
      } else if (extracted > 0) terminal.talk('Staged; decide on them with "ralph learnings review"\n');
    }
    return 0;
  },
});

function readLoop(file: string): unknown {
  const text = readDocument(file);
  try {
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (cause) {
    throw new RalphError("file-unusable", `${file === "-" ? "Standard input" : file} is not valid JSON`, {
      hint: "expected a loop with loopId, objective and iterations; nothing was changed",
      cause,
    });
  }
}
