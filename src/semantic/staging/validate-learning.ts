import {
  type ExtractedLearning,
  extractedTypes,
  type LearningType,
  type StagedLearning,
} from "../../domain/knowledge/learning.js";
import { isObject, isText } from "../../domain/shape.js";
import { isFraction, minConfidence } from "../learning-limits.js";

export type Validation = { valid: true } | { valid: false; reason: string };

/** Whether a learning of one of these types may be promoted, or the first reason against it, worded as published. */
export function validateLearning(
  value: unknown,
  types: readonly LearningType[] = extractedTypes,
): Validation {
  const reason = reasonAgainst(isObject(value) ? value : {}, types);
  return reason === undefined ? { valid: true } : { valid: false, reason };
}

function reasonAgainst(
  learning: Record<string, unknown>,
  types: readonly LearningType[],
): string | undefined {
  const { type, taskType, content, confidence, successRate } = learning;
  if (!isText(type) || !isText(taskType) || !isObject(content)) return "Missing required fields";
  if (!types.some((known) => known === type)) return `Invalid type: ${type}`;
  if (!isFraction(confidence)) return "Confidence must be between 0 and 1";
  if (!isFraction(successRate)) return "Success rate must be between 0 and 1";
  if (confidence < minConfidence) return `Confidence too low (< ${minConfidence})`;
  if (type === "antipattern" && successRate > 0.2) return "Anti-patterns should have low success rate";
  if (type === "strategy" && successRate < 0.5) return "Strategies should have success rate >= 0.5";
  return undefined;
}

/** Wordings that address an agent instead of stating what is true of a project. */
const addressed: readonly RegExp[] = [
  // "Ignore all previous instructions"
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:instructions?|prompts?|guidelines|directives|guardrails)\b/i,
  /\b(?:ignore|disregard|forget)\s+(?:everything|anything|all)\s+(?:above|before|that|you)\b/i,
  /\b(?:new|updated|hidden|secret|system)\s+instructions?\s*:/i,
  // "You must now …", "You are now …", "From now on, you …"
  /\byou\s+(?:must|should|will|shall|have\s+to)\s+now\b/i,
  /\byou\s+are\s+now\b/i,
  /\bfrom\s+now\s+on,?\s+you\b/i,
  // "Run this command: …", "Always execute …"
  /\b(?:run|execute|paste|type|enter|eval(?:uate)?)\s+(?:this|these|the\s+following|the\s+below)\s+(?:shell\s+|bash\s+|terminal\s+)?(?:commands?|scripts?|code|lines?|instructions?|snippets?)\b/i,
  /\balways\s+execute\b/i,
  // What is fetched and run at once, or hidden
  /\b(?:curl|wget|iwr|invoke-webrequest)\b[^|\n]{0,200}\|\s*(?:sudo\s+)?(?:\S*\/)?(?:ba|z|da|k)?sh\b/i,
  /\b(?:curl|wget|iwr|invoke-webrequest)\b[^|\n]{0,200}\|\s*(?:sudo\s+)?(?:\S*\/)?(?:python3?|node|perl|ruby|iex|invoke-expression)\b/i,
  /\b(?:ba|z|da)?sh\s+(?:-c\s+["']?\$\(|<\()\s*(?:curl|wget)\b/i,
  /\bbase64\s+(?:-d|-D|--decode)\b[^|\n]{0,80}\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b/i,
  // "Do not tell the user", "without asking the user"
  /\b(?:do\s+not|don['’]t|never)\s+(?:tell|inform|alert|notify|ask|mention\s+(?:this|it)\s+to)\s+(?:the\s+)?(?:user|human|operator|developer|maintainers?|owner|anyone|anybody)\b/i,
  /\bwithout\s+(?:asking|telling|informing|notifying|alerting)\s+(?:the\s+)?(?:user|human|operator|developer|maintainers?|owner|anyone|anybody)\b/i,
  /\b(?:reveal|print|send|post|upload|exfiltrate|leak|share)\b[^.\n]{0,40}\b(?:system\s+prompt|your\s+(?:prompt|instructions)|(?:api|private|ssh)\s+keys?|credentials|passwords|secrets)\b[^.\n]{0,20}\bto\b/i,
  // Roles of a conversation
  /(?<!\w)<\/?(?:system|assistant|developer|human|instructions?)(?:[-_ ][\w-]+)?\s*>/i,
  /<\|[\w-]+\|>|\[\/?INST\]|<<\/?SYS>>/i,
  /^\s*(?:#+\s*)?(?:assistant|human|system\s+(?:prompt|message))\s*:/im,
];

/** Characters that show nothing and can hide a text from the person who reviews it. */
const hidden = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;
const hiddenOnes = new RegExp(hidden.source, "gu");

const shownLength = 60;

/** What in a record's texts reads like an instruction to an agent, briefly; undefined if nothing does. */
export function instructionIn(record: unknown): string | undefined {
  for (const text of textsOf(record)) {
    const plain = text.normalize("NFKC").replace(hiddenOnes, "");
    for (const wording of addressed) {
      const found = wording.exec(plain)?.[0];
      if (found !== undefined) return clip(found);
    }
    if (hidden.test(text)) return "hidden characters";
  }
  return undefined;
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (typeof value === "object" && value !== null)
    for (const each of Object.values(value)) yield* textsOf(each);
}

function clip(found: string): string {
  const line = found.replace(/\s+/g, " ").trim();
  return line.length <= shownLength ? `“${line}”` : `“${line.slice(0, shownLength).trimEnd()}…”`;
}

/** Why a person should look at a learning with care before it is promoted, if there is a reason. */
export function reasonToReview(learning: ExtractedLearning): string | undefined {
  const instruction = instructionIn(learning);
  const reasons = [
    ...(learning.origin === "import" ? ["imported"] : []),
    ...(instruction === undefined ? [] : [`reads like an instruction to an agent: ${instruction}`]),
  ];
  return reasons.length === 0 ? undefined : reasons.join("; ");
}

export function withReason(entry: StagedLearning): StagedLearning {
  const reason = entry.status === "rejected" ? undefined : reasonToReview(entry.learning);
  return reason === undefined ? entry : { ...entry, reason };
}
