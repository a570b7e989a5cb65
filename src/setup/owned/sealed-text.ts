import { sha256 } from "../../domain/sha256.js";

/** How a comment begins and ends in the language of a file. */
export interface Comment {
  open: string;
  close: string;
}

const words = "Written by ralph setup, which replaces and removes it as long as this seal fits:";

/** A text with a last line by which it is known as ours and unchanged, whatever version wrote it. */
export function seal(text: string, comment: Comment): string {
  return `${text}${sealOf(text, comment)}\n`;
}

/** `foreign` if the text has no seal, `changed` if somebody changed it since. */
export function examineSeal(text: string, comment: Comment): "own" | "changed" | "foreign" {
  const at = text.lastIndexOf(`${comment.open} ${words}`);
  if (at === -1) return "foreign";
  const content = text.slice(0, at);
  return text === seal(content, comment) ? "own" : "changed";
}

function sealOf(text: string, { open, close }: Comment): string {
  return `${open} ${words} ${sha256(text).slice(0, 16)}${close}`;
}
