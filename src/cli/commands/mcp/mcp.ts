import { userHome } from "../../../config/paths.js";
import { lazyModule } from "../../../domain/lazy-module.js";
import { defineCommand } from "../../framework/command.js";
import { oneLine } from "../../output/terminal/printable.js";

const stdio = lazyModule(() => import("../../../mcp/stdio/serve-stdio.js"));

export const mcpCommand = defineCommand({
  summary: "serve memory to an agent over MCP",
  description:
    "Speaks the Model Context Protocol on standard input and output, and ends with its client. Agents start it themselves:\n" +
    "add it to their MCP servers. The project is the one of --root, else of the client's roots, else of the current folder.",
  arguments: [],
  options: {},
  formats: ["json"],
  examples: [
    "claude mcp add ralph -- ralph mcp",
    "codex mcp add ralph -- ralph mcp",
    "ralph mcp --root ~/work/api",
  ],
  async run({ terminal, openMemory, environment, root, version }) {
    await stdio.serveOverStdio({
      version,
      places: {
        fixedRoot: root ?? (environment.RALPH_ROOT || undefined),
        workingFolder: process.cwd(),
        userHome: userHome(environment),
      },
      openProject: (folder) => openMemory({ root: folder }),
      onFault: ({ message }) => terminal.talk(`Warning: ${oneLine(message)}\n`),
    });
    return 0;
  },
});
