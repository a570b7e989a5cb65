import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agentCommand, chooseAgent, listAgents } from "../../src/agents/agent-definition.js";
import { namesOf } from "../../src/agents/find-program.js";
import { defaultSettings, type Settings } from "../../src/config/default-settings.js";
import { builtInAgentNames } from "../../src/domain/tasks/agent.js";
import { scratchFolder } from "../support/scratch.js";

function install(folder: string, ...names: string[]): string {
  mkdirSync(join(folder, "bin"), { recursive: true });
  for (const name of names) {
    writeFileSync(join(folder, "bin", name), "#!/bin/sh\n");
    chmodSync(join(folder, "bin", name), 0o755);
  }
  return join(folder, "bin");
}

const withAgents = (agents: Settings["agents"], agent = ""): Settings => ({
  ...defaultSettings,
  agents,
  "run.agent": agent,
});

it("the names of a program are those with an ending on Windows, where a file without one cannot run", () => {
  expect(namesOf("claude", "linux")).toEqual(["claude"]);
  expect(namesOf("claude", "win32")).toEqual(["claude.exe", "claude.cmd", "claude.bat", "claude.com"]);
  expect(namesOf("claude.exe", "win32")).toEqual(["claude.exe"]);
});

describe("the agent of a run", () => {
  it("is the first one that is installed", () => {
    const folder = scratchFolder();
    const searchPath = install(folder, "opencode", "codex");
    expect(chooseAgent(undefined, defaultSettings, { folder, searchPath })).toMatchObject({
      name: "codex",
      program: join(searchPath, "codex"),
    });
  });

  it("is the one that is named, else the one of the settings", () => {
    const folder = scratchFolder();
    const place = { folder, searchPath: install(folder, "claude", "codex", "gemini") };
    const settings = withAgents({}, "gemini");
    expect(chooseAgent("codex", settings, place).name).toBe("codex");
    expect(chooseAgent(undefined, settings, place).name).toBe("gemini");
  });

  it("may be any program, described in the settings", () => {
    const folder = scratchFolder();
    install(folder, "agent.sh", "claude");
    const settings = withAgents({ mine: { program: "./bin/agent.sh", args: ["-q"], prompt: "argument" } });
    const agent = chooseAgent("mine", settings, { folder, searchPath: undefined });
    expect(agent).toMatchObject({ program: join(folder, "bin/agent.sh"), output: "text" });
    expect(agentCommand(agent, "do it\0", { isAllAllowed: true })).toEqual({
      args: ["-q", "do it"],
      input: "",
    });
    expect(chooseAgent(undefined, settings, { folder, searchPath: join(folder, "bin") }).name).toBe("mine");
  });

  it("may be a built-in one with something changed", () => {
    const [claude] = listAgents(withAgents({ claude: { args: ["-p", "--model", "opus"] } }));
    expect(claude).toMatchObject({ program: "claude", args: ["-p", "--model", "opus"], promptBy: "stdin" });
  });

  it("that is unknown is refused with the known ones", () => {
    const place = { folder: scratchFolder(), searchPath: "" };
    const own = { mine: { program: "x" }, codex: { args: ["exec"] } };
    expect(() => chooseAgent("cluade", withAgents(own), place)).toThrow(
      expect.objectContaining({
        code: "wrong-use",
        message: "Unknown agent: cluade",
        hint: 'did you mean "claude"? known: claude, codex, gemini, opencode, mine; define your own under "agents:" in ralph.yml',
      }),
    );
  });

  it("whose program may not be run, or is none, is not said to be missing", () => {
    const folder = scratchFolder();
    install(folder, "agent.sh");
    chmodSync(join(folder, "bin/agent.sh"), 0o644);
    const place = { folder, searchPath: "" };
    const choose = (program: string) => () => chooseAgent("mine", withAgents({ mine: { program } }), place);
    expect(choose("./bin/agent.sh")).toThrow(
      expect.objectContaining({
        message: "Agent mine cannot run: ./bin/agent.sh is not executable",
        hint: 'run "chmod +x ./bin/agent.sh"',
      }),
    );
    expect(choose("./bin")).toThrow("Agent mine cannot run: ./bin is not a file");
    expect(choose("./gone.sh")).toThrow("Agent mine is not installed: ./gone.sh was not found");
  });

  it("that is not installed, or none that is, gets told how to set one", () => {
    const folder = scratchFolder();
    install(folder, "claude");
    chmodSync(join(folder, "bin/claude"), 0o644);
    const place = { folder, searchPath: join(folder, "bin") };
    expect(() => chooseAgent("claude", defaultSettings, place)).toThrow(
      expect.objectContaining({ hint: "npm install -g @anthropic-ai/claude-code" }),
    );
    expect(() => chooseAgent("mine", withAgents({ mine: { program: "gone" } }), place)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining("ralph.yml") }),
    );
    expect(() => chooseAgent(undefined, defaultSettings, place)).toThrow(
      expect.objectContaining({
        code: "program-unusable",
        message: "No agent is installed",
        hint: expect.stringContaining("agents:"),
      }),
    );
  });

  it.each(builtInAgentNames)(
    "%s gets the dangerous flag only when the user says so, and its prompt on stdin",
    (name) => {
      const agent = listAgents(defaultSettings).find((each) => each.name === name);
      if (agent === undefined) throw new Error("unknown");
      const careful = agentCommand(agent, "the prompt", { isAllAllowed: false });
      const allowed = agentCommand(agent, "the prompt", { isAllAllowed: true });
      expect(careful.input).toBe("the prompt");
      expect(careful.args.join(" ")).not.toMatch(/danger|yolo|--auto\b/);
      expect(allowed.args.join(" ")).toMatch(/danger|yolo|--auto\b/);
    },
  );
});
