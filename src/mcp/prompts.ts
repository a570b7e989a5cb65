import type { GetPromptRequestParams, GetPromptResult } from "@modelcontextprotocol/server";
import { RalphError } from "../domain/ralph-error.js";
import type { Memory } from "../memory/memory.js";
import { withoutFenceTags } from "../text/fence/fence.js";
import { takeOnly } from "./tools/check-arguments.js";
import { nothingShown } from "./tools/recall.js";

export const promptListing = {
  name: "start-task",
  description: "Starts a task with what earlier work knows about it",
  arguments: [{ name: "objective", description: "what is to be done", required: true }],
};

export async function startTaskPrompt(
  memory: Memory,
  { name, arguments: given = {} }: GetPromptRequestParams,
): Promise<GetPromptResult> {
  if (name !== promptListing.name)
    throw new RalphError("not-found", `Unknown prompt: ${name}`, { hint: `there is ${promptListing.name}` });
  takeOnly(["objective"], given, name);
  const objective = given.objective?.trim() ?? "";
  if (objective === "") throw new RalphError("wrong-use", "The argument objective is missing");
  const recalled = await memory.recall({ objective });
  const text = [
    withoutFenceTags(objective),
    recalled.text === "" ? `(Memory of this project: ${nothingShown(recalled)}.)` : recalled.text.trimEnd(),
    "Cite the ids of the records that you rely on. When you know that something holds, store it with the tool remember.",
  ].join("\n\n");
  return {
    description: `Memory of ${memory.project.root}`,
    messages: [{ role: "user", content: { type: "text", text } }],
  };
}
