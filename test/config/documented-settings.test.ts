import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { defaultSettings } from "../../src/config/default-settings.js";
import { loadSettings } from "../../src/config/loading/load-settings.js";
import { settingKeys } from "../../src/config/loading/schema.js";
import { scratchFolder } from "../support/scratch.js";

/** These have no default; the documentation shows an example. */
const examples = new Set(["embedder.path", "agents"]);

it("docs/formats.md shows every setting with its default", async () => {
  const documentation = readFileSync("docs/formats.md", "utf8");
  const block = /## `ralph\.yml`\n\n```yaml\n(.*?)```/s.exec(documentation)?.[1] ?? "";
  const path = join(scratchFolder(), "ralph.yml");
  writeFileSync(path, block);
  const { settings, origins } = await loadSettings({
    files: [path],
    environment: {},
    allows: () => true,
  });
  expect(settingKeys.filter((key) => origins[key] === "default")).toEqual([]);
  for (const key of settingKeys.filter((each) => !examples.has(each)))
    expect({ [key]: settings[key] }).toEqual({ [key]: defaultSettings[key] });
});
