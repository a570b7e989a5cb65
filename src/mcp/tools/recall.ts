import { leftOutAsAltered } from "../../domain/knowledge/statement.js";
import type { Recall } from "../../memory/recall/recall-input.js";
import { defineTool } from "./tool.js";

export const recallTool = defineTool({
  name: "recall",
  description:
    "What earlier work knows about an objective: notes, learnings, similar tasks and skills as a brief. Call it before you start.",
  arguments: {
    objective: { type: "string", description: "what you are about to do" },
    files: { type: "array", items: { type: "string" }, description: "files involved" },
    errors: { type: "array", items: { type: "string" }, description: "error messages you ran into" },
    task: { type: "string", description: "current task, such as task-007: credits what helped" },
    budget: { type: "integer", minimum: 1, description: "maximum tokens" },
  },
  required: ["objective"],
  effect: "reads",
  isIdempotent: true,
  isAlwaysLoaded: true,
  whereIdsAre: "history lists the ids of tasks",
  async run(memory, { objective, files, errors, task, budget }) {
    const recalled = await memory.recall({ objective, files, errors, taskId: task, budgetTokens: budget });
    const { text, entries, tokens, leftOut, altered } = recalled;
    return {
      text: text === "" ? nothingShown(recalled) : text,
      value: {
        brief: text === "" ? nothingShown(recalled) : text,
        ids: entries.map(({ id }) => id),
        tokens,
        left_out: leftOut,
        ...(altered && { warning: leftOutAsAltered(altered.length) }),
      },
    };
  },
});

/** Why a brief is empty. */
export function nothingShown({ leftOut, budgetTokens, isHoldout }: Recall): string {
  if (isHoldout) return "Nothing shown: this task is in the control group";
  return leftOut > 0
    ? `Nothing fits into ${budgetTokens} tokens; ${leftOut} left out`
    : "Nothing relevant found";
}
