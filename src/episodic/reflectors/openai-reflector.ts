import { countTokens } from "../../text/count-tokens.js";
import type { ModelReflector } from "./model-reflector.js";
import { parseThought, reflectionPrompt } from "./reflection-prompt.js";

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

interface Completion {
  choices?: { message?: { content?: string } }[];
  usage?: { prompt_tokens?: number; completion_tokens?: number };
}

/** Any server that speaks OpenAI's chat completions. */
export function openaiReflector(options: OpenaiReflectorOptions): ModelReflector {
  return {
    name: "openai",
    maxCalls: options.maxCalls,
    async think(happening) {
      const prompt = reflectionPrompt(happening, options.maxInputTokens);
      const { choices, usage } = await complete(prompt, options);
      const answer = choices?.[0]?.message?.content ?? "";
      return {
        thought: parseThought(answer),
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
  const response = await fetch(`${address.replace(/\/+$/, "")}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({
      model,
      max_tokens: maxOutputTokens,
      messages: [{ role: "user", content: prompt }],
    }),
    signal: AbortSignal.timeout(timeoutSeconds * 1000),
  });
  if (!response.ok) throw new Error(`${address} answered with status ${response.status}`);
  return JSON.parse(await readLimited(response)) as Completion;
}

const maxAnswerBytes = 1024 * 1024;

async function readLimited(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxAnswerBytes) throw new Error("it answered with more than 1 MB");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function countOr(fallback: number, stated: unknown): number {
  return typeof stated === "number" && Number.isSafeInteger(stated) && stated >= 0 ? stated : fallback;
}
