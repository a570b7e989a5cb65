import { version } from "../version.js";
import { type AgentName, agentSetups, type Part, pluginName } from "./agent-files.js";
import { hookCommand, type OwnProgram, programName } from "./own-program.js";

const description =
  "The memory of coding agents: what earlier sessions learned is in the prompt, and what this one learns is kept.";
const author = { name: "Ralph" };
const server = { mcpServers: { ralph: { command: programName, args: ["mcp"] } } };
const byName: OwnProgram = { words: [programName], file: "", node: "", isByName: true };

/** The plugin files by their paths below `plugins/`: the same hooks, server and skill in each agent's format. */
export function pluginFiles(skill: string): Record<string, string> {
  const claude = `claude/plugins/${pluginName}`;
  const codex = `codex/plugins/${pluginName}`;
  const skillPath = `skills/${pluginName}/SKILL.md`;
  const files: Record<string, unknown> = {
    "claude/.claude-plugin/marketplace.json": {
      name: "ralph",
      owner: author,
      metadata: { description: "Memory for coding agents" },
      plugins: [{ name: pluginName, source: `./plugins/${pluginName}`, description, version }],
    },
    [`${claude}/.claude-plugin/plugin.json`]: {
      ...{ name: pluginName, version, description, author },
      ...{ license: "MIT", keywords: ["memory"] },
    },
    [`${claude}/hooks/hooks.json`]: { description, hooks: hooksOf("claude") },
    [`${claude}/.mcp.json`]: server,
    [`${claude}/${skillPath}`]: skill,
    // Claude Code puts a plugin's bin/ on the PATH of the commands that it runs.
    [`${claude}/bin/${programName}`]: launcher,
    [`${claude}/README.md`]: readme("claude"),
    "codex/.agents/plugins/marketplace.json": {
      name: "ralph",
      interface: { displayName: "Ralph" },
      plugins: [
        {
          name: pluginName,
          source: { source: "local", path: `./plugins/${pluginName}` },
          policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
          category: "Productivity",
        },
      ],
    },
    [`${codex}/.codex-plugin/plugin.json`]: {
      ...{ name: pluginName, version, description },
      ...{ skills: "./skills/", mcpServers: "./.mcp.json", hooks: "./hooks/hooks.json" },
    },
    [`${codex}/hooks/hooks.json`]: { hooks: hooksOf("codex") },
    [`${codex}/.mcp.json`]: server,
    [`${codex}/${skillPath}`]: skill,
    [`${codex}/README.md`]: readme("codex"),
    "gemini/gemini-extension.json": { name: pluginName, version, description, ...server },
    "gemini/hooks/hooks.json": { hooks: hooksOf("gemini") },
    [`gemini/${skillPath}`]: skill,
    "gemini/README.md": readme("gemini"),
  };
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [
      path,
      typeof content === "string" ? content : `${JSON.stringify(content, undefined, 2)}\n`,
    ]),
  );
}

/** As `ralph setup` registers them, with the command from the PATH. */
function hooksOf(agent: AgentName): Record<string, unknown> {
  const places = { root: "/", home: "/", environment: {} };
  const part = agentSetups[agent].parts("project", places).find(({ kind }) => kind === "hooks") as Part & {
    kind: "hooks";
  };
  return Object.fromEntries(
    part.events.map(({ name, timeout }) => [
      name,
      [{ hooks: [{ ...part.handler, type: "command", command: hookCommand(byName, agent, name), timeout }] }],
    ]),
  );
}

function readme(agent: "claude" | "codex" | "gemini"): string {
  const install = {
    claude: `claude plugin marketplace add <this package>/plugins/claude\nclaude plugin install ${pluginName}@ralph`,
    codex: `codex plugin marketplace add <this package>/plugins/codex\ncodex plugin add ${pluginName}@ralph`,
    gemini: "gemini extensions install <this package>/plugins/gemini",
  }[agent];
  return `# Ralph for ${agentSetups[agent].title}

${description}

Needs the command \`${programName}\` on the PATH: \`npm install --global <this package>\`. Then:

\`\`\`sh
${install}
\`\`\`

Or let \`ralph setup ${agent}\` write hooks, server and skill into the settings of one project. Use one of the two, not both.
`;
}

/**
 * A program that starts the installed command: the one on the PATH, else that of the package containing the plugin. Agents copy plugins
 * elsewhere and put the copies on the PATH, so a launcher is recognised by its second line and never starts another. The current folder is
 * not searched: a repository could bring its own program.
 */
const launcher = `#!/bin/sh
# Starts the command ralph-memory, which is installed elsewhere.
mark='# Starts the command ralph-memory, which is installed elsewhere.'

is_launcher() {
  second=
  { read -r first && read -r second; } <"$1" 2>/dev/null
  [ "$second" = "$mark" ]
}

set -f
IFS=:
for folder in $PATH; do
  case $folder in
  /*) ;;
  *) continue ;;
  esac
  if [ -f "$folder/ralph-memory" ] && [ -x "$folder/ralph-memory" ] && ! is_launcher "$folder/ralph-memory"; then
    exec "$folder/ralph-memory" "$@"
  fi
done

package=\${0%/*}/../../../../..
if [ -f "$package/dist/cli/main.cjs" ] && [ -f "$package/plugins/claude/plugins/ralph-memory/bin/ralph-memory" ]; then
  exec node "$package/dist/cli/main.cjs" "$@"
fi

echo 'ralph-memory: not installed; install it with: npm install -g ralph-memory' >&2
exit 127
`;
