import { shortSha256 } from "./short-sha256.js";

/** A few blocks, such as the name of a session. */
const shortBytes = 400;

/** In hexadecimal. `node:crypto` takes longer to load than most commands run, so only a long content loads it. */
export function sha256(content: string | Uint8Array): string {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  if (bytes.length <= shortBytes) return shortSha256(bytes);
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(bytes).digest("hex");
}
