import { type ReflectionType, reflectionTypes } from "../../../domain/tasks/reflection.js";
import { defineCommand } from "../../framework/command.js";
import { renderReflection } from "../../output/history/history.js";
import { renderJson } from "../../output/terminal/json.js";

export const reflectCommand = defineCommand({
  summary: "add a reflection",
  arguments: [
    { name: "task", summary: "task id, such as task-001" },
    { name: "observation", summary: "what happened" },
  ],
  options: {
    analysis: { kind: "text", placeholder: "TEXT", summary: "why it happened" },
    learning: { kind: "text", placeholder: "TEXT", summary: "what to do differently" },
    item: { kind: "texts", placeholder: "TEXT", summary: "action item; repeatable" },
    type: {
      kind: "text",
      short: "t",
      placeholder: "TYPE",
      summary: "reflection type [default: process-improvement]",
      values: reflectionTypes,
    },
  },
  formats: ["table", "json"],
  examples: ['ralph task reflect task-001 "The fixture needs a running database" -t constraint-discovery'],
  async run({ arguments: [id = "", observation = ""], options, format, terminal, openMemory }) {
    const memory = await openMemory();
    const reflection = await memory.tasks.reflect(id, {
      observation,
      analysis: options.analysis,
      learning: options.learning,
      action_items: options.item,
      reflection_type: options.type as ReflectionType | undefined,
    });
    terminal.out(format === "json" ? renderJson(reflection) : renderReflection(reflection));
    return 0;
  },
});
