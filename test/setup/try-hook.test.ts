import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findOwnProgram, hookCommand, isThis } from "../../src/setup/own-program.js";
import { tryHook } from "../../src/setup/try-hook.js";
import { scratchFolder } from "../support/scratch.js";

/** A program in the place of Ralph that answers a hook in its own way. */
function installed(script: string, { isOnPath = false } = {}) {
  const folder = scratchFolder();
  const file = join(folder, "dist/cli/main.cjs");
  mkdirSync(join(folder, "dist/cli"), { recursive: true });
  writeFileSync(file, `#!/usr/bin/env node\n${script}\n`);
  chmodSync(file, 0o755);
  mkdirSync(join(folder, "bin"));
  if (isOnPath) symlinkSync(file, join(folder, "bin/ralph-memory"));
  const environment = { PATH: `${join(folder, "bin")}:${process.env.PATH}` };
  const places = { root: scratchFolder(), home: scratchFolder(), environment };
  const program = findOwnProgram({ file, node: process.execPath, folder: places.root, environment });
  const command = hookCommand(program, "claude", "SessionStart");
  return { command, run: (given = command) => tryHook(given, { agent: "claude", places, program }) };
}

const echoing = `
let input = "";
process.stdin.on("data", (chunk) => { input += chunk; }).on("end", () => {
  const { hook_event_name, cwd } = JSON.parse(input);
  const additionalContext = [process.argv.slice(2).join(" "), hook_event_name, cwd === process.cwd()].join(",");
  process.stdout.write(JSON.stringify({ hookSpecificOutput: { hookEventName: hook_event_name, additionalContext } }));
});`;

describe("a trial of a hook", () => {
  it.each([true, false])("tells the start of a session to the program, by name: %s", async (isOnPath) => {
    const { command, run } = installed(echoing, { isOnPath });
    expect(command.startsWith("ralph-memory ")).toBe(isOnPath);
    expect(await run()).toMatchObject({
      kind: "fired",
      contextCharacters: "hook claude SessionStart,SessionStart,true".length,
    });
  });

  it("says why a hook fails", async () => {
    expect(await installed('console.error("no luck"); process.exit(3)').run()).toEqual({
      kind: "failed",
      reason: "exit code 3: no luck",
    });
    expect(await installed('console.log("hello")').run()).toMatchObject({ kind: "failed" });
    expect(await installed("").run()).toMatchObject({ kind: "fired", contextCharacters: 0 });
  });

  it("runs nothing but this program", async () => {
    const { run } = installed("");
    for (const command of [
      "ralph hook claude SessionStart",
      "ralph-memory hook claude SessionStart; exit 0",
      "/bin/sh /tmp/dist/cli/main.cjs hook claude SessionStart",
      `${process.execPath} /tmp/dist/cli/main.cjs hook claude SessionStart`,
      "node -e 1",
    ])
      expect(await run(command)).toMatchObject({ kind: "not-run" });
  });
});

describe("a name on the PATH", () => {
  it.each([
    ["ralph", '#!/bin/sh\nexec node "$basedir/node_modules/ralph-memory/dist/cli/main.cjs" "$@"\n', true],
    [
      "ralph.cmd",
      '@ECHO off\r\n"%_prog%"  "%dp0%\\node_modules\\ralph-memory\\dist\\cli\\main.cjs" %*\r\n',
      true,
    ],
    ["ralph.cmd", '@ECHO off\r\n"%_prog%"  "%dp0%\\node_modules\\ralph\\dist\\cli\\main.cjs" %*\r\n', false],
    ["ralph", "#!/usr/bin/env node\nrun('ralph-memory/dist/cli/main.cjs');\n", false],
  ])("leads here by the script that npm writes, and by no other: %s, %j", (name, script, isOurs) => {
    const path = join(scratchFolder(), name);
    writeFileSync(path, script);
    expect(isThis(path, "/x/dist/cli/main.cjs")).toBe(isOurs);
  });
});
