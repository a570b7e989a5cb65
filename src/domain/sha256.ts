/** In hexadecimal. `node:crypto` takes longer to load than most commands run, so the first call loads it. */
export function sha256(content: string | Uint8Array): string {
  return process.getBuiltinModule("node:crypto").createHash("sha256").update(content).digest("hex");
}
