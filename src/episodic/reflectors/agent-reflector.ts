import { spawn } from "node:child_process";
import type { ReflectionCost } from "../../domain/reflection.js";
import { countTokens } from "../../text/count-tokens.js";
import type { ModelReflector } from "./model-reflector.js";
import { parseThought, reflectionPrompt } from "./reflection-prompt.js";

export interface AgentReflectorOptions {
  /** The program and its arguments; the prompt comes on its standard input. */
  command: readonly string[];
  timeoutSeconds: number;
  maxInputTokens: number;
  maxCalls: number;
}

const maxAnswerBytes = 1024 * 1024;
const graceMs = 100;

/** The loop's own agent, run once without a terminal. */
export function agentReflector(options: AgentReflectorOptions): ModelReflector {
  return {
    name: "agent",
    maxCalls: options.maxCalls,
    async think(happening) {
      const prompt = reflectionPrompt(happening, options.maxInputTokens);
      const { text, cost } = readAnswer(await ask(prompt, options));
      return {
        thought: parseThought(text),
        cost: { input_tokens: countTokens(prompt), output_tokens: countTokens(text), ...cost },
      };
    },
  };
}

/** Agents that were asked for JSON wrap their answer and tell what it cost. */
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

function ask(prompt: string, { command, timeoutSeconds }: AgentReflectorOptions): Promise<string> {
  const [program = "", ...args] = command;
  return new Promise((answer, fail) => {
    // A group of its own, so that whatever the agent starts ends with it.
    const child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"], detached: true });
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (why: Error) => {
      endGroup(child.pid);
      fail(why);
    };
    const timer = setTimeout(
      () => end(new Error(`${program} took longer than ${timeoutSeconds} s`)),
      timeoutSeconds * 1000,
    );
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size > maxAnswerBytes) end(new Error(`${program} answered with more than 1 MB`));
      else chunks.push(chunk);
    });
    child.on("error", (error) => {
      clearTimeout(timer);
      fail(error);
    });
    // Something it started may hold its output open; what it said itself is there a moment after its end.
    child.on("exit", async (status) => {
      clearTimeout(timer);
      await new Promise((pause) => setTimeout(pause, graceMs));
      endGroup(child.pid);
      if (status === 0) answer(Buffer.concat(chunks).toString("utf8"));
      else fail(new Error(`${program} ended with status ${status}`));
    });
    child.stdin.on("error", () => undefined);
    child.stdin.end(prompt);
  });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}
