import { RalphError } from "../../../domain/ralph-error.js";
import { type Effectiveness, effectivenessRatings } from "../../../domain/tasks/reflection.js";
import { suggest } from "../../../text/nearest.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const rateCommand = defineCommand({
  summary: "say how much a reflection helped",
  description:
    "Without this, the outcome of what came next decides: success is helpful, the same failure again is unhelpful.",
  arguments: [
    { name: "task", summary: "its id, such as task-001" },
    { name: "effectiveness", summary: effectivenessRatings.join(", ") },
  ],
  options: {
    attempt: { kind: "number", placeholder: "N", summary: "the last reflection of this attempt" },
    iteration: { kind: "number", placeholder: "N", summary: "the one after this iteration" },
  },
  formats: ["table", "json"],
  examples: ["ralph task rate task-001 helpful", "ralph task rate task-001 unhelpful --attempt 2"],
  async run({ arguments: [id = "", word = ""], options, format, terminal, openMemory }) {
    const effectiveness = effectivenessRatings.find((known): known is Effectiveness => known === word);
    if (effectiveness === undefined) {
      throw new RalphError("wrong-use", `Unknown effectiveness: ${word}`, {
        hint: suggest(word, effectivenessRatings),
      });
    }
    const memory = await openMemory();
    const reflection = await memory.tasks.rate(id, effectiveness, options);
    terminal.out(
      format === "json"
        ? renderJson(reflection)
        : `The reflection on attempt ${reflection.attempt_id} of ${reflection.task_id} is rated ${effectiveness}\n`,
    );
    return 0;
  },
});
