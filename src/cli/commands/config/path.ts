import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";
import { globalSettingsOption } from "./setting-argument.js";

export const configPathCommand = defineCommand({
  summary: "print where the settings file is",
  description: "The file does not have to exist.",
  arguments: [],
  options: { global: globalSettingsOption },
  formats: ["table", "json"],
  examples: ["ralph config path", '$EDITOR "$(ralph config path --global)"'],
  async run({ options, format, terminal, openMemory }) {
    const { user, project } = (await openMemory({ isForgiving: true })).settingsFiles();
    const path = options.global ? user : project;
    terminal.out(format === "json" ? renderJson({ user, project }) : `${path}\n`);
    return 0;
  },
});
