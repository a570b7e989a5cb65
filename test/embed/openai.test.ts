import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { openOpenai } from "../../src/embed/openai.js";

interface Request {
  path: string | undefined;
  key: string | undefined;
  body: { model: string; input: string[] };
}

type Answer = object | string | { status: number; headers?: Record<string, string> };

/** A local server that answers each request as scripted. */
async function serve(answer: (request: Request, count: number) => Answer | "hang") {
  const requests: Request[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString("utf8")) as Request["body"];
      const request = { path: incoming.url, key: incoming.headers.authorization, body };
      requests.push(request);
      const result = answer(request, requests.length);
      if (result === "hang") return;
      if (typeof result === "object" && "status" in result) {
        response.writeHead(result.status as number, "headers" in result ? result.headers : {});
        response.end("{}");
      } else response.end(typeof result === "string" ? result : JSON.stringify(result));
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`, requests };
}

/** The vector of a text is its length and 1. */
const lengths = ({ body }: Request) => ({
  data: body.input.map((text, index) => ({ index, embedding: [text.length, 1] })),
});

const options = { name: "openai small", model: "small", key: "k-1", batch: 2, pauseMs: 1 };

describe("a server with OpenAI's embeddings API", () => {
  it("gets batches, with the key and the model", async () => {
    const { address, requests } = await serve(lengths);
    const embedder = openOpenai({ ...options, address });
    const vectors = await embedder.embed(["a", "bb", "ccc"]);
    expect(vectors.map((vector) => [...vector])).toEqual([
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
    expect(embedder.dimensions).toBe(2);
    expect(requests.map(({ body }) => body.input)).toEqual([["a", "bb"], ["ccc"]]);
    expect(requests[0]).toMatchObject({
      path: "/v1/embeddings",
      key: "Bearer k-1",
      body: { model: "small" },
    });
  });

  it("may answer out of order", async () => {
    const { address } = await serve((request) => ({ data: lengths(request).data.reverse() }));
    const vectors = await openOpenai({ ...options, address }).embed(["a", "bb"]);
    expect(vectors.map((vector) => vector[0])).toEqual([1, 2]);
  });

  it("gets no key if none is set", async () => {
    const { address, requests } = await serve(lengths);
    await openOpenai({ ...options, key: undefined, address }).embed(["a"]);
    expect(requests[0]?.key).toBeUndefined();
  });

  it.each([429, 500, 503])("is retried after status %i", async (status) => {
    const { address, requests } = await serve((request, count) =>
      count < 3 ? { status } : lengths(request),
    );
    await openOpenai({ ...options, address }).embed(["a"]);
    expect(requests).toHaveLength(3);
  });

  it("is given up after a few retries", async () => {
    const { address, requests } = await serve(() => ({ status: 503 }));
    await expect(openOpenai({ ...options, address }).embed(["a"])).rejects.toMatchObject({
      code: "embedder-failed",
      message: expect.stringContaining("status 503") as string,
    });
    expect(requests).toHaveLength(4);
  });

  it("is not retried if somebody is waiting or a retry cannot help", async () => {
    const busy = await serve(() => ({ status: 503 }));
    const urgent = openOpenai({ ...options, address: busy.address }).embed(["a"], { isUrgent: true });
    await expect(urgent).rejects.toThrow("status 503");
    expect(busy.requests).toHaveLength(1);
    const closed = await serve(() => ({ status: 401 }));
    await expect(openOpenai({ ...options, address: closed.address }).embed(["a"])).rejects.toThrow("401");
    expect(closed.requests).toHaveLength(1);
  });

  it("times out if it stays silent", async () => {
    const { address } = await serve(() => "hang");
    const embedder = openOpenai({ ...options, address, timeoutMs: 50 });
    await expect(embedder.embed(["a"], { isUrgent: true })).rejects.toThrow("did not answer in time");
  });

  it.each([
    ["no JSON", "<html>"],
    ["nothing", {}],
    ["too few vectors", { data: [{ index: 0, embedding: [1] }] }],
    ["vectors of two lengths", { data: [{ embedding: [1] }, { embedding: [1, 2] }] }],
    [
      "one vector twice",
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [1] },
        ],
      },
    ],
    ["words", { data: [{ embedding: ["one"] }, { embedding: ["two"] }] }],
  ])("is refused when it answers with %s", async (_what, answer) => {
    const { address } = await serve(() => answer);
    await expect(openOpenai({ ...options, address }).embed(["a", "b"])).rejects.toThrow(
      "sent an invalid embeddings response",
    );
  });
});
