import { postJson } from "../../../net/post-json.js";
import { countTokens } from "../../../text/tokens/count-tokens.js";
import type { ModelReflector } from "./model-reflector.js";
import { parseReflection, reflectionPrompt } from "./reflection-prompt.js";

export interface OpenaiReflectorOptions {
  /** Such as http://127.0.0.1:8080/v1 */
  address: string;
  model: string;
  key: string | undefined;
  timeoutSeconds: number;
  maxInputTokens: number;
  maxOutputTokens: number;
  maxCalls: number;
}

const maxAnswerBytes = 1024 * 1024;

interface Completion {
  choices?: { message?: { content?: string } }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number };
}

/** Reflects with any server that speaks OpenAI's chat completions API. */
export function openaiReflector(options: OpenaiReflectorOptions): ModelReflector {
  return {
    name: "openai",
    maxCalls: options.maxCalls,
    async reflect(report) {
      const prompt = reflectionPrompt(report, options.maxInputTokens);
      const { choices, usage } = await complete(prompt, options);
      const answer = choices?.[0]?.message?.content ?? "";
      return {
        text: parseReflection(answer),
        cost: {
          input_tokens: countOr(countTokens(prompt), usage?.prompt_tokens),
          output_tokens: countOr(countTokens(answer), usage?.completion_tokens),
        },
      };
    },
  };
}

async function complete(prompt: string, options: OpenaiReflectorOptions): Promise<Completion> {
  const { address, model, key, timeoutSeconds, maxOutputTokens } = options;
  const answer = await postJson({
    address,
    path: "chat/completions",
    key,
    body: { model, max_tokens: maxOutputTokens, messages: [{ role: "user", content: prompt }] },
    timeoutMs: timeoutSeconds * 1000,
    maxBytes: maxAnswerBytes,
  });
  if (answer.kind === "failed") throw new Error(`${address} ${answer.problem}`);
  return (answer.body ?? {}) as Completion;
}

function countOr(fallback: number, reported: unknown): number {
  return typeof reported === "number" && Number.isSafeInteger(reported) && reported >= 0
    ? reported
    : fallback;
}
