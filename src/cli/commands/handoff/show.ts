import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const showHandoffCommand = defineCommand({
  summary: "show a handoff",
  arguments: [{ name: "id", summary: "handoff id, such as handoff-001" }],
  options: {},
  formats: ["markdown", "json"],
  isLong: true,
  examples: ["ralph handoff show handoff-001", "ralph handoff show handoff-001 --json"],
  async run({ arguments: [id = ""], format, terminal, openMemory }) {
    const { working } = await openMemory();
    terminal.out(
      format === "json" ? renderJson(await working.getHandoff(id)) : await working.renderHandoff(id),
    );
    return 0;
  },
});
