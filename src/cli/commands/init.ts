import { isHomeFolder } from "../../files/find-project.js";
import { defineCommand } from "../framework/command.js";
import { oneLine, renderJson } from "../output/terminal/style.js";

export const initCommand = defineCommand({
  summary: "set up memory for a project",
  description:
    "Creates what is missing and leaves existing files alone; safe to run again. In a git repository it also registers the\n" +
    "merge driver for notes in .gitattributes and in .git/config (ralph merge-notes); ralph setup git --remove undoes that.",
  examples: ["ralph init", "ralph init --root ../other-project"],
  async run({ format, terminal, environment, openMemory }) {
    const memory = await openMemory();
    const steps = await memory.init();
    const { initMerging } = await import("./setup/git-merging.js");
    const { written, said } = await initMerging(memory, environment);
    if (format === "json") {
      terminal.out(
        renderJson([
          ...steps.map(({ path, what, isNew }) => ({ path, what, status: isNew ? "made" : "present" })),
          ...written.map((path) => ({ path, what: "merging of notes", status: "made" })),
        ]),
      );
      return 0;
    }
    for (const { path, what, isNew } of steps)
      terminal.out(`${isNew ? "created" : "exists "}  ${path} (${what})\n`);
    for (const line of said) terminal.out(`${oneLine(line)}\n`);
    if (isHomeFolder(memory.project.root))
      terminal.talk(
        "Note: this is your home folder. Its records are kept beside your global memory; folders below it are not part of this project\n",
      );
    terminal.talk(
      [
        "\nNext:",
        '  ralph memory add "<what to remember>"        a note for the next session',
        "  ralph setup                                  connect your coding agents",
        '  ralph run "<objective>" --verify "npm test"  an agent, until the check passes',
        "",
      ].join("\n"),
    );
  },
});
