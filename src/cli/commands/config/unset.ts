import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";
import { globalSettingsOption, readSettingKey, settingArgument } from "./setting-argument.js";

export const unsetConfigCommand = defineCommand({
  summary: "take a setting out of its file",
  description: "All other bytes of the file stay.",
  arguments: [settingArgument],
  options: { global: globalSettingsOption },
  formats: ["table", "json"],
  examples: ["ralph config unset memories.budget", "ralph config unset run.agent --global"],
  async run({ arguments: [word = ""], options, format, terminal, openMemory }) {
    const key = readSettingKey(word);
    const memory = await openMemory({ isForgiving: true });
    const { user, project } = memory.settingsFiles();
    const path = options.global ? user : project;
    const { unsetInFile } = await import("../../../config/editing/edit-settings-file.js");
    const isChanged = await unsetInFile(
      path,
      key,
      options.global ? {} : { within: [memory.project.root, memory.project.home] },
    );
    const { settings, origins } = await memory.settings();
    if (format === "json") terminal.out(renderJson({ key, path, changed: isChanged }));
    else if (!isChanged) terminal.talk(`${key} is not set in ${path}\n`);
    else
      terminal.out(
        `${key} is no longer set there; it is ${JSON.stringify(settings[key])} (${origins[key]})\n`,
      );
    return isChanged ? 0 : 1;
  },
});
