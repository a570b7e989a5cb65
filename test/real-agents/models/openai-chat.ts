import type { Protocol } from "./model-server.js";

interface Message {
  role: string;
  content?: string | { text?: string }[];
}

interface Body {
  messages: Message[];
  tools?: { function: { name: string } }[];
}

const outputTokens = 40;

/** OpenAI's Chat Completions API, as a stream of events without a type. */
export const openaiChat: Protocol = {
  isModel: (path) => path === "/v1/chat/completions",
  read(body) {
    const { messages, tools = [] } = body as Body;
    if (tools.length === 0) return undefined;
    const saidBy = (speaker: string) => messages.filter(({ role }) => role === speaker).map(textOf);
    return {
      prompt: saidBy("user").join("\n"),
      added: saidBy("system").join("\n"),
      toolResults: saidBy("tool"),
      toolNames: tools.map((tool) => tool.function.name),
      session: undefined,
    };
  },
  write({ text, call, usedTokens = 1000 }, number) {
    const chunk = (delta: object, finish_reason: string | null, usage?: object) => ({
      ...{ id: `chat_${number}`, object: "chat.completion.chunk", created: 1, model: "scripted" },
      choices: [{ index: 0, delta, finish_reason }],
      ...(usage !== undefined && { usage }),
    });
    const made = call && {
      ...{ index: 0, id: `call_${number}`, type: "function" },
      function: { name: call.tool, arguments: JSON.stringify(call.input) },
    };
    return [
      chunk({ role: "assistant", content: text }, null),
      ...(made === undefined ? [] : [chunk({ tool_calls: [made] }, null)]),
      chunk({}, made === undefined ? "stop" : "tool_calls", {
        prompt_tokens: usedTokens,
        completion_tokens: outputTokens,
        total_tokens: usedTokens + outputTokens,
      }),
    ];
  },
};

function textOf({ content = "" }: Message): string {
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n");
}
