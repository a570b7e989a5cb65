import type { HookReader } from "./hook-event.js";
import { readClaude } from "./read-claude.js";
import { readGemini } from "./read-gemini.js";

/** An agent whose hooks call Ralph. */
export interface HookAgent {
  read: HookReader;
  /** What it is told, as its own program expects it; without context, an answer that changes nothing. */
  answer(eventName: string, context: string): string;
  /** Characters of context that it takes. */
  maxContext: number;
  /** The variable in which it tells its hooks where the session began. */
  projectVariable?: string;
}

/** Claude Code's form, which others understand as well; none of them knows a further field. */
function additionalContext(hookEventName: string, context: string): string {
  return context === ""
    ? "{}\n"
    : `${JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext: context } })}\n`;
}

const maxContext = 9500;

export const hookAgents: ReadonlyMap<string, HookAgent> = new Map<string, HookAgent>([
  [
    "claude",
    { read: readClaude, answer: additionalContext, maxContext, projectVariable: "CLAUDE_PROJECT_DIR" },
  ],
  ["codex", { read: readClaude, answer: additionalContext, maxContext }],
  ["qwen", { read: readClaude, answer: additionalContext, maxContext }],
  ["gemini", { read: readGemini, answer: additionalContext, maxContext }],
  // It has no hooks of its own: Ralph's plugin for it calls them.
  ["opencode", { read: readClaude, answer: additionalContext, maxContext }],
]);
