import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { codex as program } from "../real-agent.js";
import type { SessionAgent } from "./session-agent.js";

export const codex: SessionAgent = {
  name: "codex",
  protocol: program.protocol,
  connect: program.connect,
  settings: {
    ".codex/config.toml": '# Ours\n[mcp_servers.other]\ncommand = "true"\nenabled = false',
    ".codex/hooks.json": '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}\n',
  },
  ownFiles: [],
  // As it does itself when a user trusts the folder, and each hook after a look at it.
  async trust({ program: file, project: { root }, environment: env }) {
    const settings = join(env.CODEX_HOME ?? "", "config.toml");
    appendFileSync(settings, `[projects."${root}"]\ntrust_level = "trusted"\n`);
    for (const { key, currentHash } of await listCodexHooks({ program: file, cwd: root, env }))
      appendFileSync(settings, `[hooks.state."${key}"]\ntrusted_hash = "${currentHash}"\n`);
  },
  ask: (prompt) => ["exec", "--dangerously-bypass-approvals-and-sandbox", prompt],
  shell: (command) => ({ tool: "exec_command", input: { cmd: command, yield_time_ms: 20_000 } }),
  toolName: (tool) => `mcp__ralph/${tool}`,
  told: ({ added }) => added,
};

export interface CodexHook {
  key: string;
  currentHash: string;
  trustStatus: string;
}

/** What Codex itself says about its hooks. */
export function listCodexHooks({
  program: file,
  cwd,
  env,
}: {
  program: string;
  cwd: string;
  env: NodeJS.ProcessEnv;
}): Promise<CodexHook[]> {
  return new Promise((resolve) => {
    const server = spawn(file, ["app-server"], { cwd, env, stdio: ["pipe", "pipe", "ignore"] });
    const send = (message: object) => server.stdin.write(`${JSON.stringify(message)}\n`);
    createInterface({ input: server.stdout }).on("line", (line) => {
      const { id, result } = JSON.parse(line);
      if (id === 1) {
        send({ method: "initialized" });
        send({ id: 2, method: "hooks/list", params: { cwds: [cwd] } });
      } else if (id === 2) {
        server.kill();
        resolve(result.data[0].hooks);
      }
    });
    send({ id: 1, method: "initialize", params: { clientInfo: { name: "test", version: "1" } } });
  });
}
