import { findFailures } from "../../failures/find-failures.js";
import { failureKey, templateOf } from "../../failures/keys/failure-key.js";
import { failureOf } from "../../failures/keys/failure-of.js";

/** The failures that a question names. */
export interface AskedFailures {
  keys: readonly string[];
  /** The message of each, without values. */
  messages: readonly string[];
  /** Codes in the texts, such as TS2345, in lower case. */
  codes: readonly string[];
}

const code = /\b(?:[A-Z][A-Za-z]{0,9}\d{3,5}|E[A-Z]{3,12}|ERR_[A-Z_]+)\b/g;

export function askedFailures(errors: readonly string[]): AskedFailures {
  const failures = errors.flatMap((error) => {
    const found = findFailures(error);
    return found.length > 0 ? found : [failureOf(error)];
  });
  const keys = failures.flatMap((failure) => [failure, { message: failure.message }]).map(failureKey);
  return {
    keys: [...new Set(keys.map(({ key }) => key))],
    codes: [...new Set(errors.flatMap((error) => error.match(code) ?? []))].map((found) =>
      found.toLowerCase(),
    ),
    messages: failures.map(({ code = "", message }) => `${code} ${templateOf(message)}`),
  };
}
