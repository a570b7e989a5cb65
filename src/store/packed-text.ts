import { RalphError } from "../domain/ralph-error.js";

/** Far more than the actions of an attempt; a few bytes could be made to unpack to gigabytes. */
const maxOutputLength = 64 * 1024 * 1024;

export function packText(text: string): Buffer {
  return process.getBuiltinModule("node:zlib").deflateRawSync(text);
}

export function unpackText(bytes: Uint8Array): string {
  try {
    const { inflateRawSync } = process.getBuiltinModule("node:zlib");
    return inflateRawSync(bytes, { maxOutputLength }).toString("utf8");
  } catch (error) {
    throw new RalphError("store-damaged", "Packed actions in the database are damaged", {
      hint: 'run "ralph doctor --repair"; your Markdown files are not affected',
      cause: error,
    });
  }
}
