import { RalphError } from "../../domain/ralph-error.js";

/** Parses an option that takes a number from 0 to 1. */
export function readShare(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const share = Number(text);
  if (text.trim() !== "" && share >= 0 && share <= 1) return share;
  throw new RalphError("wrong-use", `--${option} takes a number from 0 to 1, not ${JSON.stringify(text)}`);
}
