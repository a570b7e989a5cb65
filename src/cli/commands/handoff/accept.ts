import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const acceptHandoffCommand = defineCommand({
  summary: "take a handoff over",
  description: "The next attempt that this agent starts begins with it. A handoff is accepted once.",
  arguments: [{ name: "id", summary: "its id, such as handoff-001" }],
  options: {
    agent: { kind: "text", placeholder: "NAME", summary: "who takes it over; its receiver by default" },
  },
  formats: ["table", "json"],
  examples: ["ralph handoff accept handoff-001", "ralph handoff accept handoff-001 --agent qa-002-testing"],
  async run({ arguments: [id = ""], options, format, terminal, openMemory }) {
    const memory = await openMemory();
    const handoff = await memory.working.acceptHandoff(id, options.agent);
    const { accepted_by: by, to_agent: to } = handoff;
    if (by !== to) terminal.talk(`Note: it was meant for ${to}\n`);
    if (format === "json") terminal.out(renderJson(handoff));
    else terminal.out(`${handoff.id} is accepted by ${by}; its next attempt begins with it\n`);
    return 0;
  },
});
