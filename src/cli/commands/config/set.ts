import { effectOf, isRefused } from "../../../config/loading/guarded-settings.js";
import { readSetting } from "../../../config/loading/schema.js";
import { RalphError } from "../../../domain/ralph-error.js";
import { checkSetting } from "../../../memory/settings/check-setting.js";
import { shownSettings } from "../../../text/secrets/shown-settings.js";
import { defineCommand } from "../../framework/command.js";
import { confirm } from "../../input/confirm.js";
import { yesOption } from "../../options/learning-options.js";
import { renderJson } from "../../output/terminal/json.js";
import { printNotice } from "../../output/terminal/notices.js";
import { globalSettingsOption, readSettingKey, settingArgument } from "./setting-argument.js";

export const setConfigCommand = defineCommand({
  summary: "change a setting in its file",
  description:
    "Writes to the project's ralph.yml, or with --global to your own. The value is checked first; comments and all other\n" +
    "bytes of the file stay. What starts a program, sends data or gives an agent rights is asked about: in the project's\n" +
    'file it counts only after "ralph trust", in your own you are asked to confirm it.',
  arguments: [
    settingArgument,
    { name: "value", summary: "new value; several for a list", isRepeated: true, mayBeNegative: true },
  ],
  options: { global: globalSettingsOption, yes: yesOption },
  formats: ["table", "json"],
  examples: [
    "ralph config set memories.budget 3000",
    "ralph config set memories.filter.types fix,pattern",
    'ralph config set run.verify "npm test" "npm run lint"',
    "ralph config set run.agent codex --global",
  ],
  async run({ arguments: [word = "", ...words], options, format, terminal, environment, openMemory }) {
    const key = readSettingKey(word);
    const value = readSetting(key, words.length === 1 ? words[0] : words, "ralph config set");
    const memory = await openMemory({ isForgiving: true });
    const { user, project } = memory.settingsFiles();
    const path = options.global ? user : project;
    if (!options.global && isRefused(key, value))
      throw new RalphError("not-trusted", `${key} counts only in your own ralph.yml`, {
        hint: "set it with --global",
      });
    await checkSetting(key, value, {
      project: memory.project,
      settings: memory.settings,
      environment,
      ownFile: options.global ? user : undefined,
    });
    const effect = options.global ? effectOf(key, value) : undefined;
    if (effect !== undefined && !options.yes) {
      const question = `${key} ${effect}, in all your projects. Set it?`;
      if (!(await confirm(question, terminal))) {
        terminal.talk("Nothing was changed\n");
        return 1;
      }
    }
    const { setInFile } = await import("../../../config/editing/edit-settings-file.js");
    const isChanged = await setInFile(
      path,
      key,
      value,
      options.global ? {} : { within: [memory.project.root, memory.project.home] },
    );
    const { settings, leftOut, origins } = await memory.settings();
    const shown = shownSettings({ [key]: value })[key];
    if (format === "json") terminal.out(renderJson({ key, value: shown, path, changed: isChanged }));
    else terminal.out(`${key} is ${isChanged ? "now" : "already"} ${JSON.stringify(shown)} in ${path}\n`);
    const left = leftOut.filter(({ name }) => name === key);
    if (left.length > 0) printNotice({ kind: "left-out", requests: left }, terminal);
    else if (JSON.stringify(settings[key]) !== JSON.stringify(value))
      terminal.talk(
        `Note: ${key} is ${JSON.stringify(shownSettings(settings)[key])} all the same, from ${origins[key]}\n`,
      );
    return 0;
  },
});
