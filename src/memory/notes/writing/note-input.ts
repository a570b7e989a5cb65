import { maxNoteBytes } from "../../../domain/knowledge/note.js";
import { RalphError } from "../../../domain/ralph-error.js";
import type { SecretKind } from "../../../text/secrets/mark.js";
import { redactLazily } from "../../../text/secrets/without-secrets.js";

export interface CheckedText<Value> {
  value: Value;
  redacted: SecretKind[];
}

/** Checks content and returns it with normalised line ends and redacted secrets. The hint is for whoever gave none. */
export async function checkContent(raw: string, hint: string): Promise<CheckedText<string>> {
  if (typeof raw !== "string") throw new RalphError("wrong-use", "The content of a note must be a string");
  const wellFormed = raw.toWellFormed();
  const content = wellFormed.includes("\r") ? wellFormed.replace(/\r\n?/g, "\n") : wellFormed;
  if (content.trim() === "") {
    throw new RalphError("wrong-use", "The note is empty", { hint });
  }
  if (content.includes("\0")) throw new RalphError("wrong-use", "A note must be text, not binary data");
  const size = Buffer.byteLength(content);
  if (size > maxNoteBytes) {
    throw new RalphError("wrong-use", `A note can have at most ${maxNoteBytes} bytes, this one has ${size}`, {
      hint: "split it: one idea per note",
    });
  }
  const { text, found } = await redactLazily(content);
  return { value: text, redacted: found };
}

/** Tags without duplicates, in the order given. */
export async function checkTags(raw: readonly string[]): Promise<CheckedText<string[]>> {
  const safe = await Promise.all(raw.map((tag) => redactLazily(tag.toWellFormed().trim())));
  const redacted = safe.flatMap(({ found }) => found);
  const tags = safe.map(({ text }) => text);
  for (const tag of tags) {
    // These would end the tag, or the comment around it.
    const bad = /[|,<>\r\n\0]|--/.exec(tag)?.[0];
    if (bad !== undefined) {
      const shown = JSON.stringify(bad);
      throw new RalphError("wrong-use", `A tag cannot contain ${shown}: ${JSON.stringify(tag)}`, {
        hint: "use letters, digits and -",
      });
    }
    if (tag.length > 64)
      throw new RalphError("wrong-use", `A tag can have at most 64 characters: ${tag.slice(0, 20)}…`);
  }
  return { value: [...new Set(tags.filter((tag) => tag !== ""))], redacted };
}
