import type { Protocol } from "./model-server.js";

interface Part {
  text?: string;
  functionResponse?: { response: unknown };
}

interface Body {
  contents: { role?: string; parts: Part[] }[];
  tools?: { functionDeclarations?: { name: string }[] }[];
  systemInstruction?: { parts: Part[] };
}

const outputTokens = 40;

/** Gemini's API, as a stream of events without a type. */
export const geminiContent: Protocol = {
  isModel: (path) => path.endsWith(":streamGenerateContent"),
  isAside: (path) => path.endsWith(":generateContent"),
  read(body) {
    const { contents, tools = [], systemInstruction } = body as Body;
    const toolNames = tools.flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ name }) => name),
    );
    if (toolNames.length === 0) return undefined;
    const parts = contents.filter(({ role }) => role === "user").flatMap((each) => each.parts);
    return {
      prompt: textsOf(parts),
      added: textsOf(systemInstruction?.parts ?? []),
      toolResults: parts.flatMap(({ functionResponse }) =>
        functionResponse === undefined ? [] : [JSON.stringify(functionResponse.response)],
      ),
      toolNames,
      session: undefined,
    };
  },
  write: ({ text, call, usedTokens = 1000 }, number) => [
    {
      candidates: [
        {
          content: {
            role: "model",
            parts: [
              { text },
              ...(call === undefined ? [] : [{ functionCall: { name: call.tool, args: call.input } }]),
            ],
          },
          finishReason: "STOP",
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: usedTokens,
        candidatesTokenCount: outputTokens,
        totalTokenCount: usedTokens + outputTokens,
      },
      modelVersion: "scripted",
      responseId: `response_${number}`,
    },
  ],
};

function textsOf(parts: readonly Part[]): string {
  return parts.flatMap(({ text }) => (text === undefined ? [] : [text])).join("\n");
}
