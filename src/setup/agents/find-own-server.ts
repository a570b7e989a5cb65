import { maxGivenBytes, readRegularFile } from "../../files/read-regular-file.js";
import { jsonAt } from "../jsonc/json-at.js";
import { isServerCommand } from "../programs/own-program.js";
import type { AgentSetup, Places } from "./agent-setup.js";

/** The user's file in which the agent's own command has registered our server for this project. */
export function findOwnServer(agent: AgentSetup, places: Places): string | undefined {
  const own = agent.ownServers?.(places);
  if (own === undefined) return undefined;
  try {
    const servers = Object.values(
      jsonAt(readRegularFile(own.path, { maxBytes: maxGivenBytes }).toString("utf8"), own.keys),
    );
    return servers.some(isOurs) ? own.path : undefined;
  } catch {
    // A file that is missing or damaged registers nothing.
    return undefined;
  }
}

function isOurs(server: { command?: unknown; args?: unknown } | null): boolean {
  return isServerCommand([server?.command, server?.args].flat().filter((word) => typeof word === "string"));
}
