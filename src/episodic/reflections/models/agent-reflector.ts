import type { Environment } from "../../../domain/environment.js";
import type { ReflectionCost } from "../../../domain/tasks/reflection.js";
import { hasSucceeded, runProcess } from "../../../processes/run-process.js";
import { countTokens } from "../../../text/tokens/count-tokens.js";
import type { ModelReflector } from "./model-reflector.js";
import { parseReflection, reflectionPrompt } from "./reflection-prompt.js";

export interface AgentReflectorOptions {
  /** Program and arguments; the prompt goes to standard input. */
  command: readonly string[];
  environment: Environment;
  folder: string;
  timeoutSeconds: number;
  maxInputTokens: number;
  maxCalls: number;
}

const maxAnswerBytes = 1024 * 1024;

/** Reflects with the loop's own agent, run once without a terminal. */
export function agentReflector(options: AgentReflectorOptions): ModelReflector {
  return {
    name: "agent",
    maxCalls: options.maxCalls,
    async reflect(report) {
      const prompt = reflectionPrompt(report, options.maxInputTokens);
      const { text, cost } = readAnswer(await ask(prompt, options));
      return {
        text: parseReflection(text),
        cost: { input_tokens: countTokens(prompt), output_tokens: countTokens(text), ...cost },
      };
    },
  };
}

/** With JSON output, agents wrap their answer and report its cost. */
function readAnswer(output: string): { text: string; cost: Partial<ReflectionCost> } {
  try {
    const parsed = JSON.parse(output) as { result?: unknown; total_cost_usd?: unknown };
    if (typeof parsed.result !== "string") return { text: output, cost: {} };
    const usd = parsed.total_cost_usd;
    return { text: parsed.result, cost: typeof usd === "number" ? { usd } : {} };
  } catch {
    return { text: output, cost: {} };
  }
}

async function ask(
  prompt: string,
  { command, environment, folder, timeoutSeconds }: AgentReflectorOptions,
): Promise<string> {
  const [program = "", ...args] = command;
  let size = 0;
  const result = await runProcess({
    program,
    args,
    folder,
    environment,
    input: prompt,
    timeoutMs: timeoutSeconds * 1000,
    keptBytes: maxAnswerBytes,
    onOutput({ byteLength }) {
      size += byteLength;
      if (size > maxAnswerBytes) throw new Error(`${program} answered with more than 1 MB`);
    },
  });
  if (result.endedBy === "timeout") throw new Error(`${program} took longer than ${timeoutSeconds} s`);
  if (!hasSucceeded(result))
    throw new Error(`${program} ended with ${result.signal ?? `exit code ${result.exitCode}`}`);
  return result.output;
}
