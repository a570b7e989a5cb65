import { type Shell, shellScripts, shells } from "../../completion/shell-scripts.js";
import { defineCommand } from "../../framework/command.js";
import { renderJson } from "../../output/terminal/json.js";

export const completionCommand = defineCommand({
  summary: "print a script that completes commands in your shell",
  description:
    "It completes commands, options, their values, and the ids of tasks, notes and learnings.\n" +
    "Bash: add this line to ~/.bashrc: source <(ralph completion bash)\n" +
    "Zsh: write it to a file named _ralph in a folder of $fpath, before compinit.\n" +
    "Fish: write it to ~/.config/fish/completions/ralph.fish.",
  arguments: [{ name: "shell", summary: "bash, zsh or fish", values: shells }],
  options: {},
  formats: ["table", "json"],
  examples: [
    "source <(ralph completion bash)",
    'ralph completion zsh > "$' + '{fpath[1]}/_ralph"',
    "ralph completion fish > ~/.config/fish/completions/ralph.fish",
  ],
  async run({ arguments: [shell = ""], format, terminal }) {
    const script = shellScripts[shell as Shell];
    terminal.out(format === "json" ? renderJson({ shell, script }) : Buffer.from(script));
    return 0;
  },
});
