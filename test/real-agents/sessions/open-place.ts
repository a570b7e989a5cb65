import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { ralphEnvironment, runRalph } from "../../support/run-ralph.js";
import { type ModelRequest, type ScriptedModel, startModelServer } from "../models/model-server.js";
import { scratchProject } from "../scratch-project.js";
import type { SessionAgent, SessionPlace } from "./session-agent.js";
import { putTimedRalph } from "./timed-ralph.js";

const run = promisify(execFile);
const sessionLimitMs = 100_000;

/** A project with settings of its own, in which an agent can be asked, and a model that answers by a script. */
export async function openPlace(agent: SessionAgent, program: string, model: ScriptedModel) {
  const project = scratchProject(agent.name, program);
  const { root } = project;
  for (const [path, text] of Object.entries(agent.settings)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const { hookRuns } = putTimedRalph(project.programs);
  const server = await startModelServer(agent.protocol, model);
  onTestFinished(server.stop);
  const environment = ralphEnvironment(root, {
    ...project.environment,
    ...agent.connect(project, server.address),
    // As a shell sets it: opencode works there.
    PWD: root,
  });
  const place: SessionPlace = { project, program, environment };
  const ralph = (...args: string[]) => runRalph(args, { cwd: root, env: environment });
  return {
    ...{ ...place, root, hookRuns, ralph, requests: server.requests },
    read: async (...args: string[]) => JSON.parse((await ralph(...args, "--json")).stdout),
    /** Connects the agent as a user does. */
    async connect() {
      const { status, stderr } = await ralph("setup", agent.name, "--yes");
      if (status !== 0) throw new Error(stderr);
      await agent.trust(place);
    },
    /** Runs a session until it ends by itself; what it asked of the model, and what it printed. */
    async session(args: readonly string[]): Promise<{ requests: ModelRequest[]; output: string }> {
      const before = server.requests.length;
      const running = run(program, args, { cwd: root, env: environment, timeout: sessionLimitMs });
      running.child.stdin?.end();
      const { stdout, stderr } = await running;
      return { requests: server.requests.slice(before), output: stdout + stderr };
    },
  };
}
