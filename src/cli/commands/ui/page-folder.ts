import { join } from "node:path";

/** Where the page is: built beside the command. */
export const pageFolder = join(import.meta.dirname, "../ui");
