/** The tags of each agent and model that are not plain data to it. Case, `-`, `_` and a namespace do not matter. */
const tagNames = new Set(
  [
    // Turns, tools and thoughts, whoever marks them.
    "system system-prompt system-message system-instruction system-instructions system-notification system-warning",
    "user assistant human developer instruction instructions think thinking thought reasoning env",
    "tool tools tool-call tool-calls tool-use tool-uses tool-result tool-results tool-response tool-responses",
    "tool-output tool-outputs tool-code tool-list available-tools function functions function-call function-calls",
    "function-result function-results function-response function-responses function-output invoke parameter",
    // Claude Code and opencode.
    "system-reminder command-name command-message command-args command-contents local-command-stdout",
    "local-command-stderr local-command-caveat bash-input bash-stdout bash-stderr tool-use-error persisted-output",
    "user-prompt-submit-hook session-start-hook user-memory-input task-notification teammate-message",
    "cross-session-message ide-selection ide-opened-file ide-diagnostics new-diagnostics token-budget",
    "skill-content task-result",
    // Codex.
    "environment-context user-instructions developer-instructions user-action user-shell-command turn-aborted",
    "permissions collaboration-mode multi-agent-mode model-switch personality-spec subagent-notification skill",
    "skills-instructions apps-instructions plugins-instructions scratchpad-instructions recommended-plugins",
    "codex-internal-context app-context hook-prompt proposed-plan",
    // Gemini CLI and Qwen Code.
    "hook-context session-context loaded-context global-context extension-context project-context untrusted-context",
    "state-snapshot context-summary user-project-memory activated-skill available-skills available-subagents",
    "tool-output-masked",
    // Cursor.
    "user-query user-info user-rules user-rule attached-files open-and-recently-viewed-files additional-data",
    "current-file git-status agent-skills agent-transcripts image-files mcp-file-system manually-attached-skills",
    "always-applied-workspace-rules agent-requestable-workspace-rules cursor-commands",
    // Models: Gemma, GLM, Llama, LongCat, and what others call the edges of a text.
    "start-of-turn end-of-turn start-function-call end-function-call start-function-response end-function-response",
    "start-function-declaration end-function-declaration arg-key arg-value sys bos eos",
    "longcat-tool-call longcat-think",
  ].flatMap((names) => names.split(" ").map(plainName)),
);

/** What cannot be seen may stand between the letters: on screens it stays. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^!-~]|[-_]/g, "")
    .replace(/^[a-z]+:(?!:)/, "");
}

/** A tag's opening bracket and its name, whatever comes after it. */
const tagStart = /<[\s/]*((?:[^\s/<‹>=]|\ufeff)*)/g;
/** `<|im_start|>`, also one half of it, and `<s>`. A pipe operator has a space beside it. */
const tokenStart = /<(?=[|｜][^\s>|｜]|\/?s>)/g;
const tokenEnd = /(?<=[^\s<|｜][|｜])>/g;
/** Mistral's tokens. */
const squareTag =
  /\[(?=[\s/]*(?:INST|SYS|SYSTEM|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|MODEL_SETTINGS|ARGS|CALL_ID|THINK|PREFIX|MIDDLE|SUFFIX|IMG|IMG_BREAK|IMG_END|BEGIN_AUDIO|AUDIO)(?![\w-]))/g;

/** What may precede the text of a line: spaces, quote marks, blank characters, combining marks. */
export const indent = String.raw`(?:[^\S\n\r\u2028\u2029]|[>\uff1e\ufe65\u2800\u0300-\u036f\u20d0-\u20ff\ufe0f])`;
export const listMark = `(?:[-*+•]|\\d{1,9}[.)])${indent}+`;
/** The start of a line that names a speaker; `user:` and `system:` are keys of many files. */
const speaker = new RegExp(
  `^${indent}*(?:${listMark})*[*_]*(?=(?:[Hh]uman|HUMAN|[Aa]ssistant|ASSISTANT|System|SYSTEM|User|USER|Developer|DEVELOPER|Tool|TOOL)[*_ \\t]*[:：])`,
  "gm",
);

const marks = /[<[|｜:：]/;

/**
 * Text in which nothing can be taken for the markup of an agent or of a model's chat format, and everything can still be read:
 * tags lose their opening bracket to `‹`, a speaker at the start of a line gets a backslash.
 */
export function defuseChatMarkup(text: string): string {
  if (!marks.test(text)) return text;
  const plain = text
    .replace(tokenStart, "‹")
    .replace(tokenEnd, "›")
    .replace(squareTag, "‹")
    .replace(speaker, "$&\\");
  return defuseTags(plain, (name) => tagNames.has(name));
}

/** Takes the opening bracket from tags, by their names in small letters without `-` and `_`. */
export function defuseTags(text: string, isTag: (name: string) => boolean): string {
  return text.replace(tagStart, (whole, name: string) =>
    isTag(plainName(name)) ? `‹${whole.slice(1)}` : whole,
  );
}
