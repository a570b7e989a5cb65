import { failureGist } from "../../../text/same-failure.js";

const verdicts = ["did not help", "was not enough"] as const;
const unsolved = "still to solve";

const form = new RegExp(`^((.+?) (?:${verdicts.join("|")})|(?:.+[;.] )?${unsolved}): (.+)$`, "is");

/** The sentence of a failed attempt: what was done, and the failure that stayed or came. */
export function triedWithout(done: string, verdict: (typeof verdicts)[number], failure: string): string {
  return `${done} ${verdict}: ${failure}`;
}

/** The part of a sentence that tells what is left. */
export function leftToSolve(failure: string): string {
  return `${unsolved}: ${failure}`;
}

/** Equal for two lessons from the same work and the same failure, however it is judged. */
export function lessonGist(text: string): string {
  const parts = readTried(text);
  return parts === undefined ? text : `${parts.done}: ${failureGist(parts.failure)}`;
}

/** The parts of such a sentence, before and after the colon; undefined for any other text. */
export function readTried(text: string): { tried: string; done: string; failure: string } | undefined {
  const [, tried, done = "", failure] = form.exec(text) ?? [];
  return tried === undefined || failure === undefined ? undefined : { tried, done, failure };
}
