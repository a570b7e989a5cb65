import type { Layout } from "./layout.js";
import type { PortLayout } from "./layout-names.js";

const loaders: Record<PortLayout, () => Promise<Layout>> = {
  aiwg: async () => (await import("./aiwg/layout.js")).aiwgLayout,
  episodic: async () => (await import("./episodic/layout.js")).episodicLayout,
  "cross-task": async () => (await import("./cross-task/layout.js")).crossTaskLayout,
  ralph: async () => (await import("./ralph/layout.js")).ralphLayout,
  "server-memory": async () => (await import("./server-memory/layout.js")).serverMemoryLayout,
  beads: async () => (await import("./beads/layout.js")).beadsLayout,
  agentmemory: async () => (await import("./agentmemory/layout.js")).agentmemoryLayout,
};

/** Each is loaded when it is asked for. */
export function loadLayout(name: PortLayout): Promise<Layout> {
  return loaders[name]();
}
