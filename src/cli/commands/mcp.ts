import { userHome } from "../../config/paths.js";
import { defineCommand, wrongUse } from "../framework/command.js";
import { flag, number } from "../framework/options.js";
import { oneLine } from "../output/terminal/style.js";

export const mcpCommand = defineCommand({
  summary: "serve memory to an agent over MCP",
  description:
    "Speaks the Model Context Protocol on standard input and output, and ends with its client. Agents start it themselves:\n" +
    "add it to their MCP servers. The project is the one of --root, else of the client's roots, else of the current folder.\n" +
    "With --http it listens on 127.0.0.1 for clients that cannot start programs; they send a token, which is printed, or\n" +
    "taken from RALPH_MCP_TOKEN. With --json it prints its url and the headers to send as one line.",
  options: {
    http: flag("listen on 127.0.0.1 instead"),
    port: number("N", "port for --http [default: a free one]"),
  },
  examples: [
    "claude mcp add ralph -- ralph-memory mcp",
    "codex mcp add ralph -- ralph-memory mcp",
    "ralph mcp --root ~/work/api",
    "ralph mcp --http --port 7411",
    "ralph mcp --http --json",
  ],
  async run({ options, format, terminal, openMemory, environment, root, version }) {
    const setup = {
      version,
      places: {
        fixedRoot: root ?? (environment.RALPH_ROOT || undefined),
        workingFolder: process.cwd(),
        userHome: userHome(environment),
      },
      openProject: (folder: string) => openMemory({ root: folder }),
      onFault: ({ message }: Error) => terminal.talk(`Warning: ${oneLine(message)}\n`),
    };
    if (options.http) {
      await (await import("../../mcp/serve-http.js")).serveOverHttp({
        ...setup,
        port: await (await import("../../net/loopback.js")).checkPort(options.port ?? 0),
        token: environment.RALPH_MCP_TOKEN || undefined,
        onListening(url, token) {
          const isGiven = Boolean(environment.RALPH_MCP_TOKEN);
          if (format === "json") {
            // Agents put variables into the headers of their settings when they are written so.
            const Authorization = `Bearer ${isGiven ? `\${RALPH_MCP_TOKEN}` : token}`;
            terminal.out(Buffer.from(`${JSON.stringify({ url, headers: { Authorization } })}\n`));
            return;
          }
          terminal.talk(`Listening on ${url}\n`);
          if (!isGiven) terminal.talk(`Authorization: Bearer ${token}\n`);
        },
      });
    } else if (options.port !== undefined) throw wrongUse("--port needs --http");
    else {
      if (process.stdin.isTTY)
        terminal.talk(
          "Waiting for a client on standard input: agents start this themselves. Ctrl-C ends it.\n",
        );
      await (await import("../../mcp/serve-stdio.js")).serveOverStdio(setup);
    }
  },
});
