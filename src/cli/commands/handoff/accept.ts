import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const acceptHandoffCommand = defineCommand({
  summary: "accept a handoff",
  description: "The agent's next attempt starts with the handoff. A handoff can be accepted only once.",
  arguments: [{ name: "id", summary: "handoff id, such as handoff-001" }],
  options: {
    agent: { kind: "text", placeholder: "NAME", summary: "accepting agent [default: the recipient]" },
  },
  formats: ["table", "json"],
  examples: ["ralph handoff accept handoff-001", "ralph handoff accept handoff-001 --agent qa-002-testing"],
  async run({ arguments: [id = ""], options, format, terminal, openMemory }) {
    const memory = await openMemory();
    const handoff = await memory.working.acceptHandoff(id, options.agent);
    const { accepted_by: by, to_agent: to } = handoff;
    if (by !== to) terminal.talk(`Note: this handoff was addressed to ${to}\n`);
    if (format === "json") terminal.out(renderJson(handoff));
    else terminal.out(`${handoff.id} accepted by ${by}; the next attempt starts with it\n`);
    return 0;
  },
});
