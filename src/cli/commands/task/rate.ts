import { RalphError } from "../../../domain/ralph-error.js";
import { aboutAttempt, type Effectiveness, effectivenessRatings } from "../../../domain/tasks/reflection.js";
import { suggest } from "../../../text/nearest.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const rateCommand = defineCommand({
  summary: "rate how much a reflection helped",
  description: "Otherwise the next result decides: success rates it helpful, a repeated failure unhelpful.",
  arguments: [
    { name: "task", summary: "task id, such as task-001" },
    { name: "effectiveness", summary: effectivenessRatings.join(", ") },
  ],
  options: {
    attempt: { kind: "number", placeholder: "N", summary: "rate the last reflection of this attempt" },
    iteration: { kind: "number", placeholder: "N", summary: "rate the reflection after this iteration" },
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
        : `Rated the reflection ${aboutAttempt(reflection.attempt_id)} of ${reflection.task_id} as ${effectiveness}\n`,
    );
    return 0;
  },
});
