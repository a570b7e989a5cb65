import type { Repositories } from "../../store/store.js";
import { isIntact } from "./checksum.js";

/** Ids of learnings that do not match their checksum, of all or only of these: something other than Ralph changed them. */
export async function findAltered(repositories: Repositories, ids?: readonly string[]): Promise<string[]> {
  if (ids?.length === 0) return [];
  const rows = await repositories.learnings.listRaw(ids);
  return rows.filter((row) => !isIntact(row)).map(({ id }) => id);
}
