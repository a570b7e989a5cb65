import type { Environment } from "../../domain/environment.js";
import { createPostgresStore } from "../../store/postgres/open-postgres-store.js";

export interface PrepareStoreOptions {
  url: string;
  /** The role of daily work. */
  role: string | undefined;
  environment: Environment;
}

export interface PreparedStore {
  state: "created" | "upgraded" | "present";
  roleState?: "made" | "present";
  /** Without a password. */
  location: string;
  /** To be shared: of the role of daily work, without a password. */
  address: string;
}

/** Prepares a database for a team, and says how others find it. */
export async function prepareStore({ url, role, environment }: PrepareStoreOptions): Promise<PreparedStore> {
  const prepared = await createPostgresStore({
    address: url,
    environment,
    ...(role !== undefined && { role }),
  });
  const shared = new URL(url);
  shared.password = "";
  if (role !== undefined) shared.username = encodeURIComponent(role);
  return { ...prepared, address: shared.href };
}
