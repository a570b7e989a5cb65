import { execFile } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { runRalph } from "../support/run-ralph.js";
import { scratchFolder, scratchRepository } from "../support/scratch.js";
import { projectRoot } from "../support/source-imports.js";
import { type InstallableAgent, installAgent } from "./install-agent.js";
import { listCodexHooks } from "./sessions/codex.js";

const run = promisify(execFile);
const plugins = join(projectRoot, "plugins");
const names: InstallableAgent[] = ["claude", "codex", "gemini"];
const installed = await Promise.all(names.map(installAgent));

function programOf(name: InstallableAgent): string | undefined {
  const found = installed[names.indexOf(name)];
  return found !== undefined && "program" in found ? found.program : undefined;
}

/** A project and a home in which one agent is installed. */
function connected(name: InstallableAgent) {
  const program = programOf(name) ?? "";
  const [cwd, home] = [scratchRepository(), scratchFolder()];
  const quiet = {
    DISABLE_TELEMETRY: "1",
    DISABLE_AUTOUPDATER: "1",
    IS_SANDBOX: "1",
    ANTHROPIC_API_KEY: "none",
    ANTHROPIC_BASE_URL: "http://127.0.0.1:9",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  };
  const env = { ...process.env, ...quiet, HOME: home, CODEX_HOME: undefined, CLAUDE_CONFIG_DIR: undefined };
  return {
    ...{ cwd, home, program, env },
    agent: async (args: string[], answer = "") => {
      const running = run(program, args, { cwd, env, timeout: 60_000 });
      running.child.stdin?.end(answer);
      const { stdout, stderr } = await running;
      return stdout + stderr;
    },
    ralph: (...args: string[]) => runRalph(args, { cwd, env }),
  };
}

describe.skipIf(programOf("claude") === undefined)("Claude Code", () => {
  it("accepts the marketplace and the plugin, which setup notices", async () => {
    const { agent, ralph } = connected("claude");
    const folder = join(plugins, "claude");
    expect(await agent(["plugin", "validate", "--strict", folder])).toContain("Validation passed");
    const plugin = join(folder, "plugins/ralph-memory");
    expect(await agent(["plugin", "validate", "--strict", plugin])).toContain("Validation passed");
    await agent(["plugin", "marketplace", "add", folder]);
    await agent(["plugin", "install", "ralph-memory@ralph"]);
    expect((await ralph("setup", "claude", "--yes")).stderr).toContain("plugin is installed");
    await agent(["plugin", "uninstall", "ralph-memory@ralph"]);
    expect((await ralph("setup", "claude", "--yes")).stderr).toContain("Written");
    expect(await agent(["mcp", "list"])).toContain("ralph");
  });
});

describe.skipIf(programOf("codex") === undefined)("Codex", () => {
  it("accepts the marketplace and the plugin, which setup notices", async () => {
    const { agent, ralph } = connected("codex");
    await agent(["plugin", "marketplace", "add", join(plugins, "codex")]);
    expect(await agent(["plugin", "add", "ralph-memory@ralph"])).toContain("Added plugin");
    expect((await ralph("setup", "codex", "--yes")).stderr).toContain("plugin is installed");
  });

  it("lists the hooks under the keys that setup looks for, and obeys once they are trusted", async () => {
    const place = connected("codex");
    const settings = join(place.home, ".codex/config.toml");
    mkdirSync(dirname(settings), { recursive: true });
    writeFileSync(settings, `[projects."${place.cwd}"]\ntrust_level = "trusted"\n`);
    await place.ralph("setup", "codex", "--yes");
    const hooks = await listCodexHooks(place);
    expect(hooks.map(({ trustStatus }) => trustStatus)).toEqual(Array(6).fill("untrusted"));
    expect((await place.ralph("setup", "codex", "--check")).stdout).toContain("Codex skips 6 of 6 hooks");
    for (const { key, currentHash } of hooks)
      appendFileSync(settings, `[hooks.state."${key}"]\ntrusted_hash = "${currentHash}"\n`);
    expect((await listCodexHooks(place)).map(({ trustStatus }) => trustStatus)).toEqual(
      Array(6).fill("trusted"),
    );
    expect((await place.ralph("setup", "codex", "--check")).stdout).not.toContain("Codex skips");
  });

  it("may write its settings anew: the server is still taken out exactly", async () => {
    const { agent, ralph, home } = connected("codex");
    const settings = join(home, ".codex/config.toml");
    await agent(["mcp", "add", "other", "--", "echo", "hi"]);
    const before = readFileSync(settings, "utf8");
    await ralph("setup", "codex", "--user", "--yes");
    expect(await agent(["mcp", "list"])).toMatch(/^ralph /m);
    await agent(["mcp", "add", "more", "--", "echo", "hi"]);
    await agent(["mcp", "remove", "more"]);
    await ralph("setup", "codex", "--user", "--remove", "--yes");
    expect(readFileSync(settings, "utf8")).toBe(before);
  });
});

describe.skipIf(programOf("gemini") === undefined)("Gemini CLI", () => {
  it("accepts the extension, which setup notices", async () => {
    const { agent, ralph } = connected("gemini");
    const folder = join(plugins, "gemini");
    expect(await agent(["extensions", "validate", folder])).toContain("successfully validated");
    await agent(["extensions", "install", folder, "--consent"], "y\n");
    expect((await ralph("setup", "gemini", "--yes")).stderr).toContain("plugin is installed");
  });
});
