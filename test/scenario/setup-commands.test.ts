import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ralphProgram, runRalph } from "../support/run-ralph.js";
import { git, scratchFolder, scratchRepository } from "../support/scratch.js";

interface Workplace {
  cwd: string;
  home: string;
  /** A folder on the PATH. */
  bin: string;
  ralph(...args: string[]): ReturnType<typeof runRalph>;
  write(path: string, text: string): void;
  read(path: string): string;
  /** Every file of the project and of the home, with its text. */
  files(): Record<string, string>;
}

/** A project and a home of their own, with no agents but those given. */
function workplace({ programs = [] as string[], isOnPath = false, isRepository = true } = {}): Workplace {
  const cwd = isRepository ? scratchRepository() : scratchFolder();
  const [home, bin] = [scratchFolder(), scratchFolder()];
  for (const name of programs) makeProgram(join(bin, name), "exit 0");
  if (isOnPath)
    makeProgram(
      join(bin, "ralph-memory"),
      `# as pnpm writes it, for node_modules/ralph-memory/dist/cli/main.cjs\nexec "${process.execPath}" "${ralphProgram}" "$@"`,
    );
  const env = {
    HOME: home,
    PATH: `${bin}:/usr/bin:/bin`,
    CODEX_HOME: undefined,
    CLAUDE_CONFIG_DIR: undefined,
  };
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  const listed = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.includes("/.git/") && !path.includes("/.home/"));
  return {
    ...{ cwd, home, bin, write },
    ralph: (...args) => runRalph(args, { cwd, env }),
    read: (path) => readFileSync(join(cwd, path), "utf8"),
    files: () =>
      Object.fromEntries([...listed(cwd), ...listed(home)].map((path) => [path, readFileSync(path, "utf8")])),
  };
}

function makeProgram(path: string, script: string): void {
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}

/** What was written before agents started the program as `ralph-memory`. */
function asOlderVersions(text: string): string {
  return text
    .replaceAll(/ralph-memory (hook \w+ \w+)(?:;| \|\|) exit 0/g, "ralph $1")
    .replaceAll(/"ralph-memory"/g, '"ralph"')
    .replaceAll(/^ralph-memory /gm, "ralph ");
}

const agents = ["claude", "codex", "gemini", "opencode", "cursor"];

/** Settings as people keep them. */
function fillSettings({ write }: Workplace): void {
  write(
    ".claude/settings.json",
    '{\n    // ours\n    "permissions": { "allow": [] },\n    "hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ] }, // keep\n}\n',
  );
  write(".mcp.json", '{"mcpServers":{"other":{"command":"other"}}}');
  write(".codex/config.toml", '# mine\nmodel = "gpt"\r\n[mcp_servers.other]\ncommand = "x"');
  write(".codex/hooks.json", '{\n\t"hooks": {}\n}');
  write(
    ".gemini/settings.json",
    '{\n  "security": { "auth": {} },\n  "hooks": {\n    "AfterTool": []\n  }\n}\n',
  );
  write("opencode.jsonc", "{ // empty so far\n}\n");
  write(".cursor/mcp.json", "{}");
  write("AGENTS.md", "# Agents\n\nNo final newline");
}

describe("ralph setup", () => {
  it.each([...agents.map((name) => [name]), []])(
    "connects %s and takes out exactly what it added",
    async (...names) => {
      for (const fill of [true, false])
        for (const scope of [[], ["--user"]]) {
          const place = workplace({ programs: agents });
          if (fill) fillSettings(place);
          const before = place.files();
          const added = await place.ralph("setup", ...names, ...scope, "--yes");
          expect(added).toMatchObject({ status: 0 });
          const after = place.files();
          expect(after).not.toEqual(before);
          const again = await place.ralph("setup", ...names, ...scope, "--yes");
          expect(again).toMatchObject({ status: 0, stdout: "" });
          expect(place.files()).toEqual(after);
          expect(await place.ralph("setup", ...names, ...scope, "--remove", "--yes")).toMatchObject({
            status: 0,
          });
          expect(place.files()).toEqual(before);
        }
    },
  );

  it("takes settings of zero bytes for empty ones, and leaves them so", async () => {
    const place = workplace();
    const empty = [".claude/settings.json", ".mcp.json", ".codex/config.toml", ".codex/hooks.json"];
    for (const path of [...empty, ".gemini/settings.json", "opencode.json", ".cursor/mcp.json"])
      place.write(path, "");
    const before = place.files();
    expect(await place.ralph("setup", "--yes")).toMatchObject({ status: 0 });
    expect(Object.keys(JSON.parse(place.read(".gemini/settings.json")))).toEqual(["hooks", "mcpServers"]);
    expect(await place.ralph("setup", "--remove", "--yes")).toMatchObject({ status: 0 });
    expect(place.files()).toEqual(before);
  });

  it("offers the agents that are installed, by their programs and their folders", async () => {
    const { ralph, home } = workplace({ programs: ["gemini"] });
    mkdirSync(join(home, ".claude"));
    const { stdout, status } = await ralph("setup", "--dry-run");
    expect(status).toBe(0);
    expect(stdout).toContain(".claude/settings.json (new)");
    expect(stdout).toContain(".gemini/settings.json (new)");
    expect(stdout).not.toContain(".codex");
    expect(await workplace().ralph("setup")).toMatchObject({ status: 1, stdout: "" });
  });

  it("offers git where no agent is installed, and says that none is", async () => {
    const place = workplace();
    const offered = await place.ralph("setup", "--dry-run");
    expect(offered).toMatchObject({ status: 0, stdout: expect.stringContaining("merge-notes") });
    const { status, stderr } = await place.ralph("setup", "--yes");
    expect(status).toBe(0);
    expect(stderr).toMatch(/^Note: No coding agent was found .*ralph setup claude\|/);
    expect(git(place.cwd, "config", "merge.ralph-notes.driver")).toContain("merge-notes");
    const again = await place.ralph("setup", "--yes");
    expect(again).toMatchObject({ status: 0, stdout: "" });
    expect(again.stderr).toMatch(/No coding agent was found .*\nNothing was changed\n$/);
    expect(await workplace({ isRepository: false }).ralph("setup", "--yes")).toMatchObject({ status: 1 });
    expect(await workplace().ralph("setup", "--user", "--yes")).toMatchObject({ status: 1 });
  });

  it("changes nothing without a terminal and without --yes", async () => {
    const place = workplace();
    const before = place.files();
    const { status, stdout, stderr } = await place.ralph("setup", "claude");
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain("--yes");
    await place.ralph("setup", "claude", "--dry-run");
    expect(place.files()).toEqual(before);
  });

  it("writes the name of the command where that is on the PATH, else full paths that a shell reads", async () => {
    const commandOf = ({ read }: Workplace) =>
      JSON.parse(read(".claude/settings.json")).hooks.SessionEnd[0].hooks[0];
    const named = workplace({ isOnPath: true });
    await named.ralph("setup", "claude", "--yes");
    expect(commandOf(named)).toEqual({
      type: "command",
      command: "ralph-memory hook claude SessionEnd; exit 0",
      timeout: 60,
    });
    const other = workplace();
    makeProgram(join(other.home, "ralph-memory"), "exit 1");
    const { stderr } = await other.ralph("setup", "claude", "--yes");
    expect(stderr).toContain("full paths");
    expect(commandOf(other).command).toBe(
      `${process.execPath} ${ralphProgram} hook claude SessionEnd; exit 0`,
    );
    // Moving over to the name is a newer version of the same entry.
    named.write(".claude/settings.json", other.read(".claude/settings.json"));
    await named.ralph("setup", "claude", "--yes");
    expect(commandOf(named).command).toBe("ralph-memory hook claude SessionEnd; exit 0");
    expect(named.read(".claude/settings.json").match(/SessionEnd/g)).toHaveLength(2);
  });

  it.each([
    ["claude", ".claude/settings.json", '{\n  "hooks": {\n', 3],
    ["claude", ".mcp.json", '{\n"mcpServers": {\n"ralph": {"command": "another"}}}', 3],
    ["codex", ".codex/config.toml", 'a = 1\nb = "open\n', 2],
    ["codex", ".codex/config.toml", '\n[mcp_servers.ralph]\ncommand = "another"\n', 2],
    ["codex", ".codex/config.toml", "\n[[mcp_servers]]\ncommand = 'x'\n", 2],
    ["codex", ".codex/config.toml", "mcp_servers = { a = { command = 'x' } }\n", 1],
    ["gemini", ".gemini/settings.json", "{", 1],
    ["opencode", ".opencode/plugins/ralph.js", "export {};\n", 1],
    ["opencode", ".agents/skills/ralph-memory/SKILL.md", "# Mine\n", 1],
  ])("refuses, for %s, what is wrong or not ours in %s: %j", async (agent, path, text, line) => {
    const place = workplace();
    place.write(path, text);
    const before = place.files();
    const { status, stdout, stderr } = await place.ralph("setup", agent, "--yes");
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain(`${path}, line ${line}:`);
    expect(place.files()).toEqual(before);
  });

  it.each([
    [
      "claude",
      ".mcp.json",
      '{"mcpServers":{"ralph":{"command":"ralph","args":["mcp","--root","/work/api"],"env":{"RALPH_HOME":"/x"}}}}',
    ],
    [
      "claude",
      ".mcp.json",
      '{"mcpServers":{"ralph":{"type":"stdio","command":"ralph","args":["mcp"],"env":{}}}}',
    ],
    [
      "codex",
      ".codex/config.toml",
      '[mcp_servers.ralph]\ncommand = "ralph"\nargs = ["mcp", "--root", "/work/api"]\nstartup_timeout_sec = 30 # slow box\n[mcp_servers.ralph.env]\nRALPH_HOME = "/x"\n',
    ],
    [
      "opencode",
      "opencode.json",
      '{"mcp":{"ralph":{"type":"local","command":["ralph","mcp"],"enabled":true,"environment":{"A":"b"}}}}',
    ],
  ])("leaves a server that the user wrote for %s in %s: %s", async (agent, path, text) => {
    const place = workplace();
    place.write(path, text);
    const before = place.files();
    expect(await place.ralph("setup", agent, "--yes")).toMatchObject({ status: 0 });
    expect(place.read(path)).toBe(text);
    const { stdout } = await place.ralph("setup", agent, "--check");
    expect(stdout).toContain(`✓ MCP       ${path} (written or edited by hand`);
    const removed = await place.ralph("setup", agent, "--remove", "--yes");
    expect(removed.stderr.match(/^Note: .*the MCP server in .* stays$/gm)).toHaveLength(1);
    expect(place.files()).toEqual(before);
  });

  it("keeps what was approved in Codex on an update, and says that it goes with the server", async () => {
    const place = workplace({ isOnPath: true });
    const table = (command: string, args: string) =>
      `[mcp_servers.ralph]\ncommand = "${command}"\nargs = [${args}]\ntools.recall.approval_mode = "approve"\n`;
    place.write(".codex/config.toml", table("/gone/node", '"/gone/dist/cli/main.cjs", "mcp"'));
    expect(await place.ralph("setup", "codex", "--yes")).toMatchObject({ status: 0 });
    expect(place.read(".codex/config.toml")).toBe(table("ralph-memory", '"mcp"'));
    const { stderr } = await place.ralph("setup", "codex", "--remove", "--yes");
    expect(stderr).toContain(
      "Note: Codex: what you approved for its tools is removed with the MCP server in .codex/config.toml\n",
    );
    expect(place.files()).not.toHaveProperty(".codex/config.toml");
  });

  it("leaves a hook of ours in a group with the user's own where it is, and the time that the user gave to another", async () => {
    const place = workplace({ isOnPath: true });
    const group =
      '{ "hooks": [{ "type": "command", "command": "say done" }, { "type": "command", "command": "ralph hook claude Stop" }] }';
    place.write(".claude/settings.json", `{\n  "hooks": {\n    "Stop": [${group}]\n  }\n}\n`);
    const before = place.files();
    expect(await place.ralph("setup", "claude", "--yes")).toMatchObject({ status: 0 });
    const written = place.read(".claude/settings.json");
    expect(written).toContain(`"Stop": [${group}]`);
    expect(written.match(/hook claude Stop\b/g)).toHaveLength(1);
    const slower = written.replace('"timeout": 60', '"timeout": 45');
    place.write(".claude/settings.json", slower);
    expect((await place.ralph("setup", "claude", "--yes")).stderr).toContain("Nothing to do");
    expect(place.read(".claude/settings.json")).toBe(slower);
    const { stderr } = await place.ralph("setup", "claude", "--remove", "--yes");
    expect(stderr.match(/^Note: .*hooks in .claude\/settings.json .* stay$/gm)).toHaveLength(1);
    expect(place.files()).toEqual(before);
  });

  it("does not write through a link that leads out of the project", async () => {
    const place = workplace();
    const outside = scratchFolder();
    symlinkSync(outside, join(place.cwd, ".claude"));
    const { status, stderr } = await place.ralph("setup", "claude", "--yes");
    expect(status).toBe(1);
    expect(stderr).toContain("points outside");
    expect(readdirSync(outside)).toEqual([]);
    expect(existsSync(join(place.cwd, ".mcp.json"))).toBe(false);
  });

  it("names the agents that it knows when it is asked for another", async () => {
    const { status, stderr } = await workplace().ralph("setup", "emacs");
    expect(status).toBe(2);
    expect(stderr).toContain("claude");
  });

  it("registers nothing twice beside a plugin, or beside the user's own settings", async () => {
    const plugin = workplace();
    plugin.write(".claude/settings.json", '{ "enabledPlugins": { "ralph-memory@ralph": true } }\n');
    const before = plugin.files();
    const noticed = await plugin.ralph("setup", "claude", "--yes");
    expect(noticed).toMatchObject({ status: 0, stdout: "" });
    expect(noticed.stderr).toContain("plugin is installed");
    expect(plugin.files()).toEqual(before);

    const own = workplace();
    await own.ralph("setup", "claude", "--user", "--yes");
    const { stderr } = await own.ralph("setup", "claude", "--yes");
    expect(stderr).toContain("hooks are already in ~/.claude/settings.json");
    expect(existsSync(join(own.cwd, ".claude"))).toBe(false);
  });

  it("moves over from hooks and servers that call ralph, and takes those out exactly", async () => {
    const place = workplace({ programs: agents, isOnPath: true });
    fillSettings(place);
    const before = place.files();
    await place.ralph("setup", "--yes");
    const written = place.files();
    for (const path of [".claude/settings.json", ".mcp.json", ".codex/hooks.json", ".gemini/settings.json"])
      place.write(path, asOlderVersions(place.read(path)));
    for (const path of [".codex/config.toml", "opencode.jsonc", ".cursor/mcp.json", "AGENTS.md"])
      place.write(path, asOlderVersions(place.read(path)));
    const older = place.files();
    const { stdout } = await place.ralph("setup", "--check");
    expect(stdout.match(/^ {2}! .*ralph setup replaces it/gm)).toHaveLength(9);
    expect(await place.ralph("setup", "--yes")).toMatchObject({ status: 0 });
    expect(place.files()).toEqual(written);
    for (const [path, text] of Object.entries(older)) writeFileSync(path, text);
    expect(await place.ralph("setup", "--remove", "--yes")).toMatchObject({ status: 0 });
    expect(place.files()).toEqual(before);
  });

  it("says that ralph is another program, as doctor does, without running it", async () => {
    const place = workplace({ isOnPath: true });
    const said = /ralph on the PATH is another program \(\S+\/ralph\): type ralph-memory/g;
    const quiet = await place.ralph("setup", "claude", "--yes");
    expect(quiet.stderr + (await place.ralph("doctor")).stdout).not.toMatch(said);
    symlinkSync(ralphProgram, join(place.bin, "ralph"));
    expect((await place.ralph("doctor")).stdout).not.toMatch(said);
    rmSync(join(place.bin, "ralph"));
    makeProgram(join(place.bin, "ralph"), `touch "${join(place.home, "was-run")}"`);
    expect((await place.ralph("setup", "claude", "--yes")).stderr.match(said)).toHaveLength(1);
    expect((await place.ralph("doctor")).stdout.match(said)).toHaveLength(1);
    expect(existsSync(join(place.home, "was-run"))).toBe(false);
  });

  it("says that a plugin needs ralph-memory on the PATH", async () => {
    for (const isOnPath of [true, false]) {
      const place = workplace({ isOnPath });
      place.write(".claude/settings.json", '{ "enabledPlugins": { "ralph-memory@ralph": true } }\n');
      const said = "the plugin starts ralph-memory, which is not on the PATH: npm install --global";
      const { stderr } = await place.ralph("setup", "claude", "--yes");
      const { stdout } = await place.ralph("setup", "claude", "--check");
      for (const text of [stderr, stdout, (await place.ralph("doctor")).stdout])
        expect(text.split(said)).toHaveLength(isOnPath ? 1 : 2);
    }
  });

  it("keeps the shared skill until the last agent that reads it is gone, and one that somebody changed for good", async () => {
    const place = workplace();
    const skill = ".agents/skills/ralph-memory/SKILL.md";
    await place.ralph("setup", "codex", "--yes");
    await place.ralph("setup", "gemini", "--yes");
    await place.ralph("setup", "codex", "--remove", "--yes");
    expect(existsSync(join(place.cwd, skill))).toBe(true);
    await place.ralph("setup", "gemini", "--remove", "--yes");
    expect(existsSync(join(place.cwd, ".agents"))).toBe(false);

    await place.ralph("setup", "codex", "--yes");
    const changed = `${place.read(skill)}\nMine.\n`;
    place.write(skill, changed);
    await place.ralph("setup", "codex", "--yes");
    expect((await place.ralph("setup", "codex", "--check")).stdout).toContain(
      `✓ skill     ${skill} (written or edited by hand`,
    );
    await place.ralph("setup", "codex", "--remove", "--yes");
    expect(place.read(skill)).toBe(changed);
  });

  it("shows no secrets that stand in the settings", async () => {
    const place = workplace();
    place.write(".claude/settings.json", '{"env":{"API_TOKEN":"ghp_0123456789abcdefghijABCDEFGHIJ012345"}}');
    const { stdout } = await place.ralph("setup", "claude", "--dry-run");
    expect(stdout).not.toContain("ghp_0123");
    expect(stdout).toContain("hook claude Stop");
  });

  it("tells its changes as JSON", async () => {
    const place = workplace();
    const { stdout } = await place.ralph("setup", "cursor", "--yes", "--json");
    const { changes, written } = JSON.parse(stdout);
    expect(written).toBe(true);
    expect(changes).toContainEqual(
      expect.objectContaining({ path: join(place.cwd, ".cursor/mcp.json"), change: "created" }),
    );
    expect(git(place.cwd, "status", "--short")).toContain("AGENTS.md");
  });
});

describe("ralph setup --check", () => {
  it("says what is connected and what Codex and Gemini CLI do not trust, and doctor repeats it", async () => {
    const place = workplace();
    expect(await place.ralph("setup", "--check")).toMatchObject({ status: 1, stdout: "" });
    expect((await place.ralph("doctor")).stdout).not.toContain("agents ");
    await place.ralph("setup", "codex", "--yes");
    await place.ralph("setup", "gemini", "--yes");
    const untrusted = await place.ralph("setup", "--check");
    expect(untrusted.status).toBe(1);
    expect(untrusted.stdout).toContain(".codex/hooks.json");
    expect(untrusted.stdout).toContain("Codex does not trust this project");
    expect(untrusted.stdout).toContain("Codex skips 6 of 6 hooks");
    expect(untrusted.stdout).toContain("Gemini CLI does not trust this folder");

    const events = "session_start user_prompt_submit post_tool_use stop subagent_stop".split(" ");
    const trusted = events.map(
      (event) => `[hooks.state."${place.cwd}/.codex/hooks.json:${event}:0:0"]\ntrusted_hash = "sha256:0"\n`,
    );
    mkdirSync(join(place.home, ".codex"));
    writeFileSync(
      join(place.home, ".codex/config.toml"),
      `[projects."${place.cwd}"]\ntrust_level = "trusted"\n${trusted.join("")}`,
    );
    mkdirSync(join(place.home, ".gemini"));
    writeFileSync(
      join(place.home, ".gemini/trustedFolders.json"),
      JSON.stringify({ [place.cwd]: "TRUST_FOLDER" }),
    );
    const { stdout } = await place.ralph("setup", "--check");
    expect(stdout).not.toContain("does not trust");
    expect(stdout).toContain("Codex skips 1 of 6 hooks");
    expect(stdout).toContain("(SessionEnd)");
    const doctor = await place.ralph("doctor");
    expect(doctor.stdout).toMatch(/^! agents +Codex: .*skips 1 of 6/m);
    expect(doctor.stdout).toMatch(/^✓ agents +Gemini CLI: hooks, MCP, skill/m);
  });

  it("says that Claude Code has not been asked about the server of the project yet", async () => {
    const place = workplace();
    await place.ralph("setup", "claude", "--yes");
    expect((await place.ralph("setup", "--check")).stdout).toContain("once you approve it");
    writeFileSync(
      join(place.home, ".claude.json"),
      JSON.stringify({ projects: { [place.cwd]: { enabledMcpjsonServers: ["ralph"] } } }),
    );
    expect((await place.ralph("setup", "--check")).stdout).not.toContain("once you approve it");
  });

  it.each([
    ["claude", ".claude/settings.local.json", '{ "disableAllHooks": true }', "disableAllHooks is true in"],
    ["claude", "~/.claude/settings.json", '{ "disableAllHooks": true }', "disableAllHooks is true in"],
    ["codex", ".codex/config.toml", "[features]\nhooks = false\n", "features.hooks is false in"],
    [
      "codex",
      "~/.codex/config.toml",
      "[features]\ncodex_hooks = false\n",
      "features.codex_hooks is false in",
    ],
    [
      "gemini",
      ".gemini/settings.json",
      '{"hooksConfig":{"enabled":false}}',
      "hooksConfig.enabled is false in",
    ],
    [
      "gemini",
      "~/.gemini/settings.json",
      '{"hooksConfig":{"disabled":["ralph"]}}',
      "ralph is in hooksConfig.disabled in",
    ],
  ])("says that %s will run no hook because of %s: %j", async (agent, path, text, reason) => {
    const place = workplace({ isOnPath: true });
    const file = path.startsWith("~") ? path.replace("~", place.home) : join(place.cwd, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    const written = await place.ralph("setup", agent, "--yes");
    expect(written.stderr).toContain(`${reason} ${path}`);
    const { status, stdout } = await place.ralph("setup", agent, "--check");
    expect(status).toBe(1);
    expect(stdout).toContain(`${reason} ${path}`);
    expect(stdout).not.toContain("✓ fires");
    expect((await place.ralph("doctor")).stdout).toContain(`${reason} ${path}`);
  });

  it("lets the project's settings switch on what those of the user switch off, as the agents do", async () => {
    const place = workplace({ isOnPath: true });
    for (const [path, off, on] of [
      [".claude/settings.json", '{ "disableAllHooks": true }', '{ "disableAllHooks": false }'],
      [".codex/config.toml", "[features]\nhooks = false\n", "[features]\nhooks = true\n"],
      [
        ".gemini/settings.json",
        '{ "hooksConfig": { "enabled": false } }',
        '{ "hooksConfig": { "enabled": true } }',
      ],
    ] as const) {
      mkdirSync(dirname(join(place.home, path)), { recursive: true });
      writeFileSync(join(place.home, path), off);
      place.write(path, on);
    }
    await place.ralph("setup", "--yes");
    const { stdout } = await place.ralph("setup", "--check");
    expect(stdout.match(/✓ fires/g)).toHaveLength(3);
    expect(stdout).not.toMatch(/ is (?:true|false) in /);
  });

  it.each([
    [
      "claude",
      ".claude/settings.json",
      '{ "enableAllProjectMcpServers": true, "disabledMcpjsonServers": ["ralph"] }',
      "ralph is in disabledMcpjsonServers in",
    ],
    ["gemini", ".gemini/settings.json", '{"mcp":{"excluded":["ralph"]}}', "ralph is in mcp.excluded in"],
    ["gemini", ".gemini/settings.json", '{"mcp":{"allowed":["other"]}}', "ralph is not in mcp.allowed in"],
    [
      "codex",
      ".codex/config.toml",
      '[mcp_servers.ralph]\ncommand = "ralph"\nargs = ["mcp"]\nenabled = false\n',
      "enabled is false in",
    ],
    [
      "opencode",
      "opencode.json",
      '{"mcp":{"ralph":{"type":"local","command":["ralph","mcp"],"enabled":false}}}',
      "enabled is false in",
    ],
  ])("says that %s will not start the server because of %s: %j", async (agent, path, text, reason) => {
    const place = workplace({ isOnPath: true });
    place.write(path, text);
    await place.ralph("setup", agent, "--yes");
    const { status, stdout } = await place.ralph("setup", agent, "--check");
    expect(status).toBe(1);
    expect(stdout).toContain(`does not start the server`);
    expect(stdout).toContain(`${reason} ${path}`);
  });

  it("says that hooks do nothing in a folder that is no project, as setup and doctor do, until it is one", async () => {
    const place = workplace({ isOnPath: true, isRepository: false });
    const said = /hooks do nothing in .* \(git init or ralph init\)/g;
    expect((await place.ralph("doctor")).stdout).not.toMatch(said);
    const written = await place.ralph("setup", "gemini", "--yes");
    expect(written.stderr.match(said)).toHaveLength(1);
    const user = await place.ralph("setup", "opencode", "--user", "--yes");
    expect(user.stderr).not.toMatch(said);
    const checked = await place.ralph("setup", "--check");
    expect(checked.status).toBe(1);
    expect(checked.stdout.match(said)).toHaveLength(1);
    const [gemini] = JSON.parse((await place.ralph("setup", "--check", "--json")).stdout);
    expect(gemini.doubts).toContainEqual(expect.stringMatching(said));
    expect((await place.ralph("doctor")).stdout).toMatch(/^! agents +hooks do nothing in /m);
    place.write("ralph.yml", "hooks: [");
    expect((await place.ralph("doctor")).stdout).toMatch(/✗ settings[\s\S]*agents +Gemini CLI/);
    rmSync(join(place.cwd, "ralph.yml"));
    await place.ralph("init");
    expect((await place.ralph("setup", "--check")).stdout).not.toMatch(said);
    expect((await place.ralph("doctor")).stdout).not.toMatch(said);
  });

  it("tells hooks that are registered twice, and settings that cannot be read", async () => {
    const place = workplace();
    await place.ralph("setup", "claude", "--yes");
    await place.ralph("setup", "claude", "--user", "--yes");
    expect((await place.ralph("setup", "claude", "--check")).stdout).toContain("registered twice");
    place.write(".claude/settings.json", '{ "hooks": { ralph');
    const { stdout } = await place.ralph("setup", "claude", "--check");
    expect(stdout).toContain(".claude/settings.json, line 1:");
    // What is broken and not ours is nobody's business here.
    place.write(".gemini/settings.json", "{");
    expect((await place.ralph("setup", "--check")).stdout).not.toContain("Gemini");
    expect(await place.ralph("setup", "gemini", "--remove", "--yes")).toMatchObject({ status: 0 });
  });

  it("does not go with --remove, which it would ignore", async () => {
    const { status, stdout, stderr } = await workplace().ralph("setup", "claude", "--check", "--remove");
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });

  it("checks git by its name, and with the others where it was set up", async () => {
    const place = workplace();
    expect(await place.ralph("setup", "git", "--check")).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(/^git\n {2}✗ attribute .gitattributes \(missing: ralph setup git/),
    });
    await place.ralph("setup", "git", "--yes");
    const checked = await place.ralph("setup", "git", "--check");
    expect(checked).toMatchObject({ status: 0, stderr: "" });
    expect(checked.stdout).toMatch(/✓ driver +\.git\/config\n$/);
    git(place.cwd, "config", "--unset", "merge.ralph-notes.driver");
    expect((await place.ralph("setup", "--check")).stdout).toMatch(/✗ driver +\.git\/config \(missing/);
  });

  it("runs the hook that a plugin of opencode's would run", async () => {
    const place = workplace();
    await place.ralph("setup", "opencode", "--yes");
    const { status, stdout } = await place.ralph("setup", "opencode", "--check");
    expect(stdout).toMatch(/✓ plugin[\s\S]*✓ fires .* hook opencode SessionStart/);
    expect(status).toBe(0);
  });

  it("knows the server that claude mcp add has registered, and writes no second one", async () => {
    const place = workplace();
    const added = { mcpServers: { ralph: { type: "stdio", command: "ralph", args: ["mcp"] } } };
    writeFileSync(
      join(place.home, ".claude.json"),
      JSON.stringify({ projects: { [place.cwd]: { enabledMcpjsonServers: ["ralph"], ...added } } }),
    );
    const { stderr } = await place.ralph("setup", "claude", "--yes");
    expect(stderr).toContain("the MCP server is already in ~/.claude.json");
    expect(existsSync(join(place.cwd, ".mcp.json"))).toBe(false);
    expect((await place.ralph("setup", "claude", "--check")).stdout).toMatch(/✓ MCP +~\/.claude.json/);
    place.write(".mcp.json", JSON.stringify(added));
    expect((await place.ralph("setup", "claude", "--check")).stdout).toContain("claude mcp remove ralph");
  });

  it("runs no command of a project's settings that is not this Ralph", async () => {
    const place = workplace();
    makeProgram(join(place.cwd, "ralph"), `touch "${join(place.home, "was-run")}"`);
    const command = "./ralph hook claude SessionStart";
    place.write(
      ".claude/settings.json",
      JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: "command", command }] }] } }),
    );
    const { status, stdout } = await place.ralph("setup", "claude", "--check");
    expect(status).toBe(1);
    expect(stdout).toContain("another program than this Ralph");
    expect(existsSync(join(place.home, "was-run"))).toBe(false);
  });
});
