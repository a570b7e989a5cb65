import { effectOf, isRefused } from "../../config/loading/guarded-settings.js";
import {
  isSettingKey,
  readSetting,
  type SettingKey,
  settingDefinitions,
  settingKeys,
  unknownSetting,
} from "../../config/loading/schema.js";
import { RalphError } from "../../domain/ralph-error.js";
import { checkSetting } from "../../memory/check-setting.js";
import { shownSettings } from "../../text/secrets/shown-address.js";
import { defineCommand } from "../framework/command.js";
import { flag, yesOption } from "../framework/options.js";
import { confirm } from "../input/ask.js";
import { printNotice } from "../output/terminal/notices.js";
import { oneLine, renderJson, style } from "../output/terminal/style.js";
import { renderTable } from "../output/terminal/table.js";
import type { Terminal } from "../output/terminal/terminal.js";

const settingArgument = {
  name: "key",
  summary: "setting, such as memories.budget",
};

const globalSettingsOption = flag("your own settings for all projects, instead of the project's");

function readSettingKey(word: string): SettingKey {
  if (isSettingKey(word)) return word;
  throw unknownSetting(word, "ralph config");
}

const showConfigCommand = defineCommand({
  summary: "show all settings, their values and sources",
  description:
    "In increasing precedence: defaults, the user's ralph.yml, the project's ralph.yml, environment variables. For example,\n" +
    "RALPH_MEMORIES_BUDGET sets memories.budget.",
  isLong: true,
  examples: ["ralph config show", "RALPH_MEMORIES_BUDGET=500 ralph config show --json"],
  async run({ format, terminal, openMemory }) {
    const { settings: plain, origins, leftOut, refused } = await (await openMemory()).settings();
    if (leftOut.length > 0) printNotice({ kind: "left-out", requests: leftOut }, terminal);
    for (const key of refused) printNotice({ kind: "setting-refused", key }, terminal);
    const settings = shownSettings(plain);
    const rows = settingKeys.map((key) => ({
      key,
      value: settings[key],
      origin: origins[key],
      meaning: settingDefinitions[key].summary,
    }));
    if (format === "json") terminal.out(renderJson(rows));
    else if (terminal.isScreen) terminal.out(rows.map((row) => renderSetting(row, terminal)).join(""));
    else {
      const cells = rows.map(({ key, value, origin, meaning }) => [
        key,
        JSON.stringify(value),
        origin,
        meaning,
      ]);
      terminal.out(renderTable(["SETTING", "VALUE", "FROM", "DESCRIPTION"], cells, terminal));
    }
  },
});

interface ShownSetting {
  key: string;
  value: unknown;
  origin: string;
  meaning: string;
}

/** The names and sentences are too long for a table on a screen. */
function renderSetting({ key, value, origin, meaning }: ShownSetting, terminal: Terminal): string {
  const from = origin === "default" ? "" : ` (${origin})`;
  const text = Array.isArray(value)
    ? `[${value.map((item) => JSON.stringify(item)).join(", ")}]`
    : JSON.stringify(value);
  const shown = oneLine(`${text}${from}`);
  const separator = key.length + shown.length + 3 > terminal.width ? "\n    " : " ";
  return `${style(key, "bold", terminal)} =${separator}${shown}\n    ${style(meaning, "dim", terminal)}\n`;
}

const getConfigCommand = defineCommand({
  summary: "print the value of one setting",
  description:
    "The effective value, wherever it comes from. A list is printed with one item per line. A value from the project's file\n" +
    'that you have not allowed is ignored, with a note on stderr; "ralph trust" allows it.',
  arguments: [settingArgument],
  examples: ["ralph config get memories.budget", "ralph config get run.verify --json"],
  async run({ arguments: [word = ""], terminal, print, openMemory }) {
    const key = readSettingKey(word);
    const { settings, origins, leftOut, refused } = await (await openMemory()).settings();
    const waiting = leftOut.filter(({ name }) => name === key || name.startsWith(`${key}.`));
    if (waiting.length > 0) printNotice({ kind: "left-out", requests: waiting }, terminal);
    if (refused.includes(key)) printNotice({ kind: "setting-refused", key }, terminal);
    const value = shownSettings(settings)[key];
    print({
      json: { key, value, origin: origins[key] },
      table: Array.isArray(value) ? value.map((item) => `${item}\n`).join("") : `${plain(value)}\n`,
    });
  },
});

function plain(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const setConfigCommand = defineCommand({
  summary: "change a setting in its file",
  description:
    "Writes to the project's ralph.yml, or with --global to your own. The value is checked first; comments and all other\n" +
    "bytes of the file stay. A value that starts a program, sends data or gives an agent rights needs your consent: in the\n" +
    'project\'s file it takes effect after "ralph trust", in your own file you are asked to confirm it.',
  arguments: [
    settingArgument,
    { name: "value", summary: "new value; several for a list", isRepeated: true, mayBeNegative: true },
  ],
  options: { global: globalSettingsOption, yes: yesOption },
  examples: [
    "ralph config set memories.budget 3000",
    "ralph config set memories.filter.types fix,pattern",
    'ralph config set run.verify "npm test" "npm run lint"',
    "ralph config set run.agent codex --global",
  ],
  async run({ arguments: [word = "", ...words], options, terminal, print, environment, openMemory }) {
    const key = readSettingKey(word);
    const value = readSetting(key, words.length === 1 ? words[0] : words, "ralph config set");
    const memory = await openMemory({ isForgiving: true });
    const { user, project } = memory.settingsFiles();
    const path = options.global ? user : project;
    if (!options.global && isRefused(key, value))
      throw new RalphError("not-trusted", `${key} is honoured only in your own ralph.yml`, {
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
    const { setInFile } = await import("../../config/editing/edit-settings-file.js");
    const isChanged = await setInFile(
      path,
      key,
      value,
      options.global ? {} : { within: [memory.project.root, memory.project.home] },
    );
    const { settings, leftOut, origins } = await memory.settings();
    const shown = shownSettings({ [key]: value })[key];
    print({
      json: { key, value: shown, path, changed: isChanged },
      table: `${key} is ${isChanged ? "now" : "already"} ${JSON.stringify(shown)} in ${path}\n`,
    });
    const left = leftOut.filter(({ name }) => name === key);
    if (left.length > 0) printNotice({ kind: "left-out", requests: left }, terminal);
    else if (JSON.stringify(settings[key]) !== JSON.stringify(value))
      terminal.talk(
        `Note: ${key} is still ${JSON.stringify(shownSettings(settings)[key])}, set by ${origins[key]}\n`,
      );
  },
});

const unsetConfigCommand = defineCommand({
  summary: "remove a setting from its file",
  description: "All other bytes of the file stay.",
  arguments: [settingArgument],
  options: { global: globalSettingsOption },
  examples: ["ralph config unset memories.budget", "ralph config unset run.agent --global"],
  async run({ arguments: [word = ""], options, format, terminal, openMemory }) {
    const key = readSettingKey(word);
    const memory = await openMemory({ isForgiving: true });
    const { user, project } = memory.settingsFiles();
    const path = options.global ? user : project;
    const { unsetInFile } = await import("../../config/editing/edit-settings-file.js");
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

const configPathCommand = defineCommand({
  summary: "print where the settings file is",
  description: "The file does not have to exist.",
  options: { global: globalSettingsOption },
  examples: ["ralph config path", '$EDITOR "$(ralph config path --global)"'],
  async run({ options, print, openMemory }) {
    const { user, project } = (await openMemory({ isForgiving: true })).settingsFiles();
    const path = options.global ? user : project;
    print({ json: { user, project }, table: `${path}\n` });
  },
});

/** By the word that follows the noun. */
export const configCommands = {
  show: showConfigCommand,
  get: getConfigCommand,
  set: setConfigCommand,
  unset: unsetConfigCommand,
  path: configPathCommand,
};
