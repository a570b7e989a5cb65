import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const initCommand = defineCommand({
  summary: "set up memory for a project",
  description: "Creates what is missing and leaves existing files alone; safe to run again.",
  arguments: [],
  options: {},
  formats: ["table", "json"],
  examples: ["ralph init", "ralph init --root ../other-project"],
  async run({ format, terminal, openMemory }) {
    const memory = await openMemory();
    const steps = await memory.init();
    if (format === "json") {
      terminal.out(
        renderJson(
          steps.map(({ path, what, isNew }) => ({ path, what, status: isNew ? "made" : "present" })),
        ),
      );
      return 0;
    }
    for (const { path, what, isNew } of steps)
      terminal.out(`${isNew ? "created" : "exists "}  ${path} (${what})\n`);
    terminal.talk(
      [
        "\nNext:",
        '  ralph memory add "<what to remember>"        a note for the next session',
        "  ralph setup                                  connect your coding agents",
        '  ralph run "<objective>" --verify "npm test"  an agent, until the check passes',
        "",
      ].join("\n"),
    );
    return 0;
  },
});
