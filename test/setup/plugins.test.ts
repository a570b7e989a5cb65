import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { commandTree } from "../../src/cli/framework/command-table.js";
import { hookAgents } from "../../src/hooks/hook-formats.js";
import { parseSkillFile } from "../../src/procedural/skill-file.js";
import { pluginFiles } from "../../src/setup/plugin-files.js";
import { ralphEnvironment, ralphProgram } from "../support/run-ralph.js";
import { scratchFolder, scratchRepository } from "../support/scratch.js";
import { projectRoot } from "../support/source-imports.js";

const folder = join(projectRoot, "plugins");
const read = (path: string) => readFileSync(join(folder, path), "utf8");
const skillPath = "skill/ralph-memory/SKILL.md";

describe("the plugins", () => {
  it("are what `npm run docs` writes: the same hooks, server and skill everywhere", () => {
    const expected = pluginFiles(read(skillPath));
    const present = ["claude", "codex", "gemini"].flatMap((agent) =>
      readdirSync(join(folder, agent), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => relative(folder, join(entry.parentPath, entry.name))),
    );
    expect(Object.fromEntries(present.map((path) => [path, read(path)]))).toEqual(expected);
  });

  const commands = Object.entries(pluginFiles("")).flatMap(([path, text]) =>
    path.endsWith("hooks.json")
      ? [...text.matchAll(/"command": "([^"]*)"/g)].map(([, command = ""]) => command)
      : [],
  );

  it("have every hook call this program, and nothing else", () => {
    expect(commands).toHaveLength(18);
    for (const command of commands)
      expect(command).toMatch(/^ralph-memory hook (?:claude|codex|gemini) [A-Z]\w+(?:;| \|\|) exit 0$/);
  });

  /** Runs the command of a hook as agents do, where another program `ralph` is first on the PATH. */
  function runHook(command: string, script?: string) {
    const [cwd, first, behind] = [scratchRepository(), scratchFolder(), scratchFolder()];
    const other = "#!/bin/sh\necho garbage\necho blocked >&2\nexit 2\n";
    writeFileSync(join(first, "ralph"), other, { mode: 0o755 });
    if (script !== undefined)
      writeFileSync(join(behind, "ralph-memory"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const event = { session_id: "s", cwd, source: "startup", prompt: "x", timestamp: "2026-01-20T10:00:00Z" };
    const { status, stdout } = spawnSync("/bin/sh", ["-c", command], {
      ...{ cwd, encoding: "utf8", input: JSON.stringify(event) },
      env: ralphEnvironment(cwd, { PATH: [first, behind, "/usr/bin", "/bin"].join(delimiter) }),
    });
    return { cwd, status, stdout };
  }

  it.each(commands)("have no hook that fails or says something if Ralph is missing: %s", (command) => {
    expect(runHook(command)).toMatchObject({ status: 0, stdout: "" });
  });

  it.each(commands.filter((command) => / (?:SessionStart|UserPromptSubmit|BeforeAgent)\b/.test(command)))(
    "start Ralph, and block nothing however it ends: %s",
    (command) => {
      for (const end of ["exit 2", "kill -ABRT $$", "kill -KILL $$"])
        expect(runHook(command, end)).toMatchObject({ status: 0, stdout: "" });
      const said = runHook(
        command,
        `'${process.execPath}' '${ralphProgram}' memory add "Postgres must run" >&2\nexec '${process.execPath}' '${ralphProgram}' "$@"`,
      );
      expect(said.status).toBe(0);
      expect(said.stdout).not.toContain("garbage");
      if (command.includes("SessionStart"))
        expect(JSON.parse(said.stdout).hookSpecificOutput.additionalContext).toContain("Postgres must run");
    },
  );
});

describe("the skill", () => {
  it("is one that agents accept, and names commands that exist", async () => {
    const text = read(skillPath);
    const { fields } = await parseSkillFile(text);
    expect(fields.name).toBe("ralph-memory");
    expect(String(fields.description).length).toBeLessThanOrEqual(1024);
    expect(text.split("\n").length).toBeLessThan(80);
    const named = [...text.matchAll(/ralph-memory ([a-z]+) ?([a-z]*)/g)].map(
      ([, first = "", second = ""]) => {
        const entry = commandTree[first];
        return typeof entry === "object" ? second in entry.commands : entry !== undefined;
      },
    );
    expect(named.length).toBeGreaterThan(4);
    expect(named).not.toContain(false);
  });
});

describe("the plugin of opencode", () => {
  it("tells what happens, and hands on what is answered", async () => {
    const directory = scratchFolder();
    const ralph = join(directory, "ralph.mjs");
    writeFileSync(
      ralph,
      `import { appendFileSync, readFileSync } from "node:fs";
const event = JSON.parse(readFileSync(0, "utf8"));
appendFileSync("told.jsonl", JSON.stringify([process.argv.slice(2).join(" "), event]) + "\\n");
const additionalContext = "about " + event.hook_event_name;
console.log(event.hook_event_name === "Stop" ? "broken" : JSON.stringify({ hookSpecificOutput: { additionalContext } }));`,
    );
    const module = join(directory, "plugin.mjs");
    const words = JSON.stringify([process.execPath, ralph]);
    writeFileSync(
      module,
      read("opencode/ralph.js").replace(/^const ralph = .*$/m, `const ralph = ${words};`),
    );
    const { RalphPlugin } = await import(module);
    const hooks = await RalphPlugin({ directory });
    const sessionID = "ses_1";
    await hooks.event({
      event: { type: "session.created", properties: { sessionID, info: { id: sessionID } } },
    });
    const message = { message: { id: "msg_1" }, parts: [{ type: "text", text: "do it" }] };
    await hooks["chat.message"]({ sessionID }, message);
    expect(message.parts.at(-1)).toMatchObject({ text: "about UserPromptSubmit", synthetic: true });
    const system = { system: ["first"] };
    await hooks["experimental.chat.system.transform"]({ sessionID }, system);
    expect(system.system).toEqual(["first", "about SessionStart"]);
    const result = { output: "no such file", metadata: { exit: 2 } };
    await hooks["tool.execute.after"](
      { tool: "bash", sessionID, callID: "c", args: { command: "ls" } },
      result,
    );
    expect(result.output).toContain("about PostToolUseFailure");
    const passed = { output: "Error: row 17 has no email, skipped", metadata: { exit: 0 } };
    await hooks["tool.execute.after"](
      { tool: "bash", sessionID, callID: "d", args: { command: "node import.js" } },
      { ...passed },
    );
    await hooks.event({ event: { type: "session.idle", properties: { sessionID } } });
    await hooks.dispose();
    const told = readFileSync(join(directory, "told.jsonl"), "utf8").trim().split("\n");
    expect(told.map((line) => JSON.parse(line)[0])).toEqual(
      ["SessionStart", "UserPromptSubmit", "PostToolUseFailure", "PostToolUse", "Stop", "SessionEnd"].map(
        (event) => `hook opencode ${event}`,
      ),
    );
    const event = await hookAgents
      .get("opencode")
      ?.read("PostToolUse", JSON.parse(told[3] ?? "")[1], new Date());
    expect(event).toMatchObject({ action: { success: true, output: passed.output } });
    expect(JSON.parse(told[1] ?? "")[1]).toMatchObject({
      session_id: sessionID,
      cwd: directory,
      prompt: "do it",
    });
  });

  it("changes nothing where Ralph is missing", async () => {
    const { RalphPlugin } = await import(join(folder, "opencode/ralph.js"));
    const hooks = await RalphPlugin({ directory: "/nowhere" });
    const message = { message: { id: "m" }, parts: [{ type: "text", text: "x" }] };
    await hooks["chat.message"]({ sessionID: "s" }, message);
    expect(message.parts).toHaveLength(1);
  });

  it("is a module that imports nothing but Node, and says in one line how Ralph is started", async () => {
    const text = read("opencode/ralph.js");
    expect([...text.matchAll(/from "([^"]+)"/g)].map(([, name]) => name)).toEqual(["node:child_process"]);
    expect(text.match(/^const ralph = .*$/gm)).toEqual(['const ralph = ["ralph-memory"];']);
  });
});
