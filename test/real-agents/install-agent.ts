import { execFile } from "node:child_process";
import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export type RealAgentName = "claude" | "codex";

/** Those that are driven through a run, those that are only started as a user does, and the Inspector, a client of MCP. */
export type InstallableAgent = RealAgentName | "gemini" | "opencode" | "inspector";

/** A program that is there, or why it is not. */
export type InstalledAgent = { program: string; version: string } | { missing: string };

const packages: Record<InstallableAgent, { name: string; programs: readonly string[] }> = {
  claude: {
    name: "@anthropic-ai/claude-code",
    // The second where install scripts are not run.
    programs: [".bin/claude", `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`],
  },
  codex: { name: "@openai/codex", programs: [".bin/codex"] },
  gemini: { name: "@google/gemini-cli", programs: [".bin/gemini"] },
  inspector: { name: "@modelcontextprotocol/inspector", programs: [".bin/mcp-inspector"] },
  opencode: {
    name: "opencode-ai",
    programs: [".bin/opencode", `opencode-${process.platform}-${process.arch}/bin/opencode`],
  },
};

const installLimitMs = 300_000;
const answerLimitMs = 20_000;

/**
 * The newest version that the registry has, in a folder that is kept between runs; without a registry, the one that is
 * there from before.
 */
export async function installAgent(agent: InstallableAgent): Promise<InstalledAgent> {
  const { name, programs } = packages[agent];
  try {
    const folder = ownFolder(agent);
    const failure = await install(name, folder);
    for (const path of programs) {
      const program = join(folder, "node_modules", path);
      const version = await askVersion(program);
      if (version !== undefined) return { program, version };
    }
    return { missing: `${name} cannot be installed here: ${failure ?? "its program does not run"}` };
  } catch (error) {
    return { missing: `${name} cannot be installed here: ${messageOf(error)}` };
  }
}

/** Programs are run from it: nobody else may have made it. */
function ownFolder(agent: InstallableAgent): string {
  const base = join(tmpdir(), `ralph-real-agents-${process.getuid?.() ?? "user"}`);
  mkdirSync(base, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(base);
  if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o22) !== 0))
    throw new Error(`${base} is not ours alone`);
  const folder = join(base, agent);
  mkdirSync(folder, { recursive: true });
  return folder;
}

async function install(name: string, folder: string): Promise<string | undefined> {
  const quiet = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
  const impatient = ["--fetch-retries=1", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000"];
  try {
    await run("npm", ["install", "--prefix", folder, ...quiet, ...impatient, `${name}@latest`], {
      cwd: folder,
      timeout: installLimitMs,
    });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

async function askVersion(program: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(program, ["--version"], { timeout: answerLimitMs });
    return stdout.trim();
  } catch {
    return undefined;
  }
}

function messageOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  // The first line repeats the command.
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return (lines[1] ?? lines[0] ?? "unknown").slice(0, 300);
}
