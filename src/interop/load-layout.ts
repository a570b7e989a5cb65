import type { Layout } from "./layout.js";
import type { PortLayout } from "./layout-names.js";

const loaders: Record<PortLayout, () => Promise<Layout>> = {
  aiwg: async () => (await import("./aiwg/layout.js")).aiwgLayout,
  episodic: async () => (await import("./episodic/layout.js")).episodicLayout,
  "cross-task": async () => (await import("./cross-task/layout.js")).crossTaskLayout,
  ralph: async () => (await import("./ralph/layout.js")).ralphLayout,
  loki: async () => (await import("./loki/layout.js")).lokiLayout,
  "server-memory": async () => (await import("./server-memory/layout.js")).serverMemoryLayout,
  "basic-memory": async () => (await import("./basic-memory/layout.js")).basicMemoryLayout,
  beads: async () => (await import("./beads/layout.js")).beadsLayout,
  agentmemory: async () => (await import("./agentmemory/layout.js")).agentmemoryLayout,
  "claude-mem": async () => (await import("./claude-mem/layout.js")).claudeMemLayout,
  claude: async () => (await import("./claude/layout.js")).claudeLayout,
  codex: async () => (await import("./codex/layout.js")).codexLayout,
  cursor: async () => (await import("./cursor/layout.js")).cursorLayout,
  gemini: async () => (await import("./gemini/layout.js")).geminiLayout,
  rules: async () => (await import("./rules/layout.js")).rulesLayout,
};

/** Each is loaded when it is asked for. */
export function loadLayout(name: PortLayout): Promise<Layout> {
  return loaders[name]();
}
