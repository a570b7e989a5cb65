import type { Protocol } from "./model-server.js";

interface Item {
  type?: string;
  role?: string;
  content?: { text?: string }[];
  output?: unknown;
}

interface Tool {
  name?: string;
  type: string;
  /** Of a namespace, which is how Codex offers what a server has. */
  tools?: Tool[];
}

interface Body {
  input: Item[];
  tools?: Tool[];
  prompt_cache_key?: string;
}

/** What each answer of the model is said to have used. */
export const codexUsage = { input: 1000, cached: 300, output: 40 };

/** OpenAI's Responses API, as a stream of events. */
export const openaiResponses: Protocol = {
  isModel: (path) => path === "/v1/responses",
  read(body) {
    const { input, tools = [], prompt_cache_key: session } = body as Body;
    const asksForSummary = input
      .at(-1)
      ?.content?.some(({ text = "" }) => text.includes("CONTEXT CHECKPOINT"));
    if (asksForSummary) return undefined;
    const saidBy = (speaker: string) =>
      input
        .filter(({ role }) => role === speaker)
        .flatMap(({ content = [] }) => content.map(({ text = "" }) => text))
        .join("\n");
    return {
      prompt: saidBy("user"),
      added: saidBy("developer"),
      toolResults: input
        .filter(({ type }) => type?.endsWith("_call_output"))
        .map(({ output }) => (typeof output === "string" ? output : JSON.stringify(output))),
      toolNames: tools.flatMap(({ name, type, tools: within }) =>
        within === undefined ? [name ?? type] : within.map((tool) => `${name}/${tool.name}`),
      ),
      session,
    };
  },
  write({ text, call, usedTokens = codexUsage.input }, number) {
    const id = `resp_${number}`;
    const items: object[] = [
      {
        type: "message",
        id: `msg_${number}`,
        role: "assistant",
        content: [{ type: "output_text", text, annotations: [] }],
      },
      ...(call === undefined
        ? []
        : [
            typeof call.input === "string"
              ? customCall(call.tool, call.input, number)
              : functionCall(call, number),
          ]),
    ];
    return [
      { type: "response.created", response: { id } },
      ...items.map((item, at) => ({ type: "response.output_item.done", output_index: at, item })),
      {
        type: "response.completed",
        response: {
          id,
          usage: {
            input_tokens: usedTokens,
            input_tokens_details: { cached_tokens: codexUsage.cached },
            output_tokens: codexUsage.output,
            output_tokens_details: null,
            total_tokens: usedTokens + codexUsage.output,
          },
        },
      },
    ];
  },
};

/** A tool of a namespace is called by both names. */
function functionCall({ tool, input }: { tool: string; input: unknown }, number: number): object {
  const [name, namespace] = tool.split("/").reverse();
  return {
    type: "function_call",
    id: `fc_${number}`,
    call_id: `call_${number}`,
    name,
    ...(namespace !== undefined && { namespace }),
    arguments: JSON.stringify(input),
  };
}

/** A tool that takes plain text. */
function customCall(tool: string, input: string, number: number): object {
  return { type: "custom_tool_call", id: `ctc_${number}`, call_id: `call_${number}`, name: tool, input };
}
