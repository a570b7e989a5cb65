import { describe, expect, it } from "vitest";
import { connectClient, eras } from "../support/mcp-client.js";
import { connectOverHttp, startHttpServer } from "../support/mcp-http-server.js";
import { askWith, fillForScenario, playScenario } from "../support/mcp-scenario.js";
import { templateProject } from "../support/template-project.js";

const filled = templateProject(fillForScenario);

describe.each(eras)("the official client of %s uses all tools, resources and prompts", (era) => {
  it("over standard input and output", async () => {
    const root = await filled();
    const { client } = await connectClient(root, { era });
    await playScenario(askWith(client), root);
  });

  it("over HTTP", async () => {
    const root = await filled();
    const { address, token } = await startHttpServer(root);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    await playScenario(askWith(await connectOverHttp(address, token, era)), root);
  });
});
