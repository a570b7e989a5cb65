import { statSync } from "node:fs";
import { storeFile } from "../store/open-store.js";
import type { Memory } from "./memory.js";
import { filesOf, userPlace } from "./project/place.js";
import { projectOf } from "./project-of.js";

/** More takes a second to read and index. */
const manyNotesBytes = 4 * 1024 * 1024;
const largeStoreBytes = 1024 * 1024 * 1024;

/** Whether reading a memory may take long in one go, because its notes or its records are many. */
export async function mayTakeLong(memory: Memory): Promise<boolean> {
  const { ralphHome, place } = projectOf(memory);
  const at = await place();
  const notes = [...filesOf(at), ...filesOf(userPlace(ralphHome))];
  return (
    notes.some(({ path }) => sizeOf(path) > manyNotesBytes) ||
    sizeOf(storeFile(at.storeDirectory)) > largeStoreBytes
  );
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
