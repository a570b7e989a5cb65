import type { Client, ClientConfig } from "pg";

export type ClientClass = new (config: ClientConfig & { pipeline?: boolean }) => Client;

/** On Node 20 the package would look for another runtime by a way that takes as long as starting Node. */
export async function loadClient(): Promise<ClientClass> {
  const known = globalThis as { navigator?: unknown };
  const hadNavigator = known.navigator !== undefined;
  if (!hadNavigator) known.navigator = { userAgent: "Node.js" };
  try {
    const { default: pg } = await import("pg");
    return pg.Client as ClientClass;
  } finally {
    if (!hadNavigator) delete known.navigator;
  }
}
