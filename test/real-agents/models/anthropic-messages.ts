import type { ModelAnswer, Protocol } from "./model-server.js";

interface Block {
  type: string;
  text?: string;
  content?: string | Block[];
}

interface Body {
  messages: { role: string; content: string | Block[] }[];
  tools?: { name: string }[];
  /** The user's id holds the session's, as JSON. */
  metadata?: { user_id?: string };
}

/** What each answer of the model is said to have used. */
export const claudeUsage = { input: 1000, cacheCreation: 200, cacheRead: 300, output: 40 };

/** Anthropic's Messages API, as a stream of events. */
export const anthropicMessages: Protocol = {
  isModel: (path) => path === "/v1/messages",
  read(body) {
    const { messages, tools = [], metadata } = body as Body;
    const said = messages.map(({ role, content }) => ({
      role,
      blocks: typeof content === "string" ? [{ type: "text", text: content }] : content,
    }));
    const asksForSummary = textsOf(said.at(-1)?.blocks ?? []).some((text) => text.includes("<analysis>"));
    if (tools.length === 0 || asksForSummary) return undefined;
    const saidBy = (speaker: string): Block[] =>
      said.filter(({ role }) => role === speaker).flatMap(({ blocks }) => blocks);
    const blocks = saidBy("user");
    return {
      prompt: textsOf(blocks).join("\n"),
      added: textsOf(saidBy("system")).join("\n"),
      toolResults: blocks
        .filter(({ type }) => type === "tool_result")
        .map(({ content = "" }) => (typeof content === "string" ? content : textsOf(content).join("\n"))),
      toolNames: tools.map(({ name }) => name),
      session: JSON.parse(metadata?.user_id ?? "{}").session_id,
    };
  },
  write: ({ text, call, usedTokens = claudeUsage.input }, number) => [
    {
      type: "message_start",
      message: {
        id: `msg_${number}`,
        type: "message",
        role: "assistant",
        model: "claude-sonnet-4-5",
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: {
          input_tokens: usedTokens,
          cache_creation_input_tokens: claudeUsage.cacheCreation,
          cache_read_input_tokens: claudeUsage.cacheRead,
          output_tokens: 1,
        },
      },
    },
    ...textBlock(text),
    ...(call === undefined ? [] : toolBlock(call, number)),
    {
      type: "message_delta",
      delta: { stop_reason: call === undefined ? "end_turn" : "tool_use", stop_sequence: null },
      usage: { output_tokens: claudeUsage.output },
    },
    { type: "message_stop" },
  ],
};

function textsOf(blocks: readonly Block[]): string[] {
  return blocks.filter(({ type }) => type === "text").map(({ text = "" }) => text);
}

const textBlock = (text: string) => block(0, { type: "text", text: "" }, { type: "text_delta", text });

const toolBlock = ({ tool, input }: NonNullable<ModelAnswer["call"]>, number: number) =>
  block(
    1,
    { type: "tool_use", id: `toolu_${number}`, name: tool, input: {} },
    { type: "input_json_delta", partial_json: JSON.stringify(input) },
  );

function block(index: number, start: object, delta: object): { type: string }[] {
  return [
    { type: "content_block_start", index, content_block: start } as { type: string },
    { type: "content_block_delta", index, delta } as { type: string },
    { type: "content_block_stop", index } as { type: string },
  ];
}
