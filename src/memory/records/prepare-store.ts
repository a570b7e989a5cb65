import type { Environment } from "../../domain/environment.js";
import { RalphError } from "../../domain/ralph-error.js";
import { createPostgresStore } from "../../store/postgres/open-postgres-store.js";

export interface PrepareStoreOptions {
  url: string;
  /** The role of daily work. */
  role: string | undefined;
  /** Each role sees only the rows of projects that it is a member of. */
  rowSecurity: boolean;
  /** Projects that the role becomes a member of. */
  projects: readonly string[];
  environment: Environment;
}

export interface PreparedStore {
  state: "created" | "upgraded" | "present";
  hasRowSecurity: boolean;
  roleState?: "made" | "present";
  /** Without a password. */
  location: string;
  /** To be shared: of the role of daily work, without a password. */
  address: string;
}

/** Prepares a database for a team, and says how others find it. */
export async function prepareStore({ url, ...wanted }: PrepareStoreOptions): Promise<PreparedStore> {
  const { role, projects } = wanted;
  if (projects.length > 0 && role === undefined)
    throw new RalphError("wrong-use", "--project says what a role may work on", {
      hint: "name the role with --role",
    });
  const prepared = await createPostgresStore({ address: url, ...wanted });
  const shared = new URL(url);
  shared.password = "";
  if (shared.searchParams.has("password")) shared.searchParams.delete("password");
  if (role !== undefined) shared.username = encodeURIComponent(role);
  return { ...prepared, address: shared.href };
}
