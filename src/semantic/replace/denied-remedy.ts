import { contentStems } from "../../words/content-stems.js";

const denial = /\b(?:instead of|rather than|no longer|never|do(?:es)? not|don't|not)\b([^.;]{0,80})/gi;
/** An option, a setting, a call, a path or a version: something that only one remedy has. */
const overNow =
  /([^.;:]{0,60})\b(?:(?:is|are|was|were) (?:gone|removed|dropped|closed|refused|forbidden|retired|deprecated|dead)|no longer (?:works?|exists?|allowed|supported)|does not (?:work|exist) any ?more)\b/gi;
const telling = /(?:--?)?[A-Za-z][\w]*(?:[-._=:/@][\w]+)+|\b[A-Za-z]\w*_\w+|\b[a-z]+[A-Z]\w+/g;
const leastSharedWords = 2;

/** Whether a newer statement says, about the same topic, that an older remedy is not to be used. */
export function deniesRemedy(newer: string, older: { problem: string; remedy: string }): boolean {
  const denied = [...newer.matchAll(denial), ...newer.matchAll(overNow)].flatMap(
    ([, text = ""]) => text.match(telling) ?? [],
  );
  const named = denied.filter((token) => older.remedy.includes(token));
  if (named.length === 0) return false;
  const without = (text: string) => stemsOf(named.reduce((rest, token) => rest.replaceAll(token, " "), text));
  const topic = without(newer);
  const shared = [...without(`${older.problem} ${older.remedy}`)].filter((word) => topic.has(word));
  return shared.length >= leastSharedWords;
}

function stemsOf(text: string): Set<string> {
  return new Set(contentStems(text, { shortest: 3 }));
}
