import type { Layout } from "./layout.js";
import type { PortLayout } from "./layout-names.js";

const loaders: Record<PortLayout, () => Promise<Layout>> = {
  episodic: async () => (await import("./episodic/layout.js")).episodicLayout,
};

/** Each is loaded when it is asked for. */
export function loadLayout(name: PortLayout): Promise<Layout> {
  return loaders[name]();
}
