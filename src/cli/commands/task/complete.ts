import { RalphError } from "../../../domain/ralph-error.js";
import { type OutcomeStatus, outcomes } from "../../../domain/tasks/attempt.js";
import { isKept } from "../../../memory/outbox/outbox-entry.js";
import { defineCommand } from "../../framework/command.js";
import { readDocument } from "../../input/read-document.js";
import { renderReflection } from "../../output/history/history.js";
import { renderJson } from "../../output/terminal/json.js";
import { oneLine } from "../../output/terminal/printable.js";

export const completeCommand = defineCommand({
  summary: "end the current attempt and reflect on it",
  description:
    "The reflection lists the failing tests, error codes and locations found in the output, and compares them with the\n" +
    "previous attempt. The next attempt starts with it.",
  arguments: [{ name: "task", summary: "task id, such as task-001" }],
  options: {
    outcome: { kind: "text", placeholder: "OUTCOME", summary: "outcome of the attempt", values: outcomes },
    output: {
      kind: "text",
      placeholder: "FILE",
      summary: "file with the output of the verification; - for standard input",
    },
    quality: { kind: "text", placeholder: "Q", summary: "quality of the result, from 0 to 1" },
    reason: { kind: "text", placeholder: "TEXT", summary: "reason for the outcome" },
    reflection: {
      kind: "text",
      placeholder: "TEXT",
      summary: "your own reflection, instead of the rule-based one",
    },
    worked: { kind: "texts", placeholder: "TEXT", summary: "what worked; repeatable" },
    percent: { kind: "number", placeholder: "P", summary: "how much of the task is done, from 0 to 100" },
    limit: { kind: "text", placeholder: "TEXT", summary: "time or cost limit that ended the attempt" },
    artifact: {
      kind: "list",
      placeholder: "FILES",
      summary: "files it produced, comma-separated",
    },
    commit: { kind: "text", placeholder: "ID", summary: "resulting Git commit" },
  },
  formats: ["table", "json"],
  examples: ["npm test > out.txt 2>&1 || ralph task complete task-001 --outcome failure --output out.txt"],
  async run({ arguments: [id = ""], options, format, terminal, openMemory }) {
    const { outcome, output: file } = options;
    if (outcome === undefined) {
      throw new RalphError("wrong-use", "--outcome is missing", { hint: `one of: ${outcomes.join(", ")}` });
    }
    const output = file === undefined ? undefined : readDocument(file);
    const memory = await openMemory();
    const completed = await memory.tasks.completeOrLater(id, {
      outcome: outcome as OutcomeStatus,
      output,
      quality: readQuality(options.quality),
      reason: options.reason,
      limit: options.limit,
      whatWorked: options.worked,
      completionPercent: options.percent,
      ...(options.reflection && { reflection: { observation: options.reflection } }),
      artifacts: options.artifact,
      gitCommit: options.commit,
    });
    if (isKept(completed)) {
      terminal.out(
        format === "json" ? renderJson(completed) : `The result of ${id} waits on this machine.\n`,
      );
      return 0;
    }
    for (const why of completed.degraded ?? []) terminal.talk(`Note: ${oneLine(why)}\n`);
    const { attempt, reflection, task_reflection: onTask } = completed;
    const reflections = [reflection, onTask].flatMap((each) => each ?? []);
    if (format === "json") terminal.out(renderJson(completed));
    else if (reflections.length > 0) terminal.out(reflections.map(renderReflection).join("\n"));
    else terminal.out(`Attempt ${attempt.id} of ${attempt.task_id}: ${outcome}. Nothing to reflect on.\n`);
    return 0;
  },
});

function readQuality(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const quality = Number(text);
  if (text.trim() !== "" && quality >= 0 && quality <= 1) return quality;
  throw new RalphError("wrong-use", `--quality takes a number from 0 to 1, not ${JSON.stringify(text)}`);
}
