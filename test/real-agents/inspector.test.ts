import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { startHttpServer } from "../support/mcp-http-server.js";
import { type Ask, fillForScenario, playScenario } from "../support/mcp-scenario.js";
import { ralphEnvironment, ralphProgram } from "../support/run-ralph.js";
import { templateProject } from "../support/template-project.js";
import { installAgent } from "./install-agent.js";

const run = promisify(execFile);
const installed = await installAgent("inspector");
if ("missing" in installed) console.warn(installed.missing);
const program = "program" in installed ? installed.program : "";

const filled = templateProject(fillForScenario);
const stdioServer = [process.execPath, ralphProgram, "mcp"];

/** Starts the Inspector for one request; it prints what was answered. */
function inspect(root: string, server: readonly string[], options: readonly string[]) {
  const env = ralphEnvironment(root, { HOME: root, DO_NOT_TRACK: "1" });
  return run(program, ["--cli", ...server, ...options], { cwd: root, env, timeout: 60_000 });
}

const asOptions: Record<string, (params: Record<string, unknown>) => string[]> = {
  "tools/call": ({ name, arguments: given }) => ["--tool-name", String(name), ...pairs("--tool-arg", given)],
  "resources/read": ({ uri }) => ["--uri", String(uri)],
  "prompts/get": ({ name, arguments: given }) => [
    ...["--prompt-name", String(name)],
    ...pairs("--prompt-args", given),
  ],
};

function pairs(option: string, given: unknown): string[] {
  const texts = Object.entries(given as object).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return texts.length === 0 ? [] : [option, ...texts];
}

function askBy(root: string, server: readonly string[], era: string): Ask {
  return async (method, params = {}) => {
    const options = ["--protocol-era", era, "--method", method, ...(asOptions[method]?.(params) ?? [])];
    return JSON.parse((await inspect(root, server, options)).stdout);
  };
}

describe.runIf("program" in installed)("the Inspector", () => {
  it.each(["legacy", "modern"])("of the %s era uses everything over standard input", async (era) => {
    const root = await filled();
    await playScenario(askBy(root, stdioServer, era), root);
  });

  it.each(["legacy", "modern"])("of the %s era uses everything over HTTP", async (era) => {
    const root = await filled();
    const { address, token } = await startHttpServer(root);
    const server = ["--server-url", address, "--header", `Authorization: Bearer ${token}`];
    await playScenario(askBy(root, server, era), root);
  });

  it("finds nothing wrong with the schemas of the tools", async () => {
    const root = await filled();
    const strictly = ["--method", "tools/list", "--strict"];
    expect((await inspect(root, stdioServer, strictly)).stderr).not.toMatch(/error|warning/i);
  });

  it("shows an error of a tool as one", async () => {
    const root = await filled();
    const wrong = ["--method", "tools/call", "--tool-name", "forget", "--tool-arg", "id=mem-1-abcd"];
    await expect(inspect(root, stdioServer, wrong)).rejects.toMatchObject({
      stdout: expect.stringContaining("Memory not found: mem-1-abcd"),
    });
  });
});
