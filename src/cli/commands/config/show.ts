import { settingDefinitions, settingKeys } from "../../../config/loading/schema.js";
import { shownSettings } from "../../../text/secrets/shown-settings.js";
import { defineCommand } from "../../framework/command.js";
import { wrapWords } from "../../output/screen/wrap-words.js";
import { renderJson } from "../../output/terminal/json.js";
import { printNotice } from "../../output/terminal/notices.js";
import { oneLine } from "../../output/terminal/printable.js";
import { style } from "../../output/terminal/style.js";
import { renderTable } from "../../output/terminal/table.js";
import type { Terminal } from "../../output/terminal/terminal.js";

export const showConfigCommand = defineCommand({
  summary: "show all settings, their values and sources",
  description:
    "In increasing precedence: defaults, the user's ralph.yml, the project's ralph.yml, environment variables. For example,\n" +
    "RALPH_MEMORIES_BUDGET sets memories.budget.",
  arguments: [],
  options: {},
  formats: ["table", "json"],
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
    return 0;
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
  const [first = "", ...more] = wrapWords(`${key} = ${shown}`, terminal.width, terminal.width - 4);
  const lines = [first.replace(key, style(key, "bold", terminal)), ...more.map((row) => `    ${row}`)].join(
    "\n",
  );
  return `${lines}\n    ${style(meaning, "dim", terminal)}\n`;
}
