import { defineCommand } from "../framework/command.js";

export const shells = ["bash", "zsh", "fish"] as const;

type Shell = (typeof shells)[number];

/** What a shell loads to complete the words of `ralph`; it asks `ralph __complete` for them. */
const shellScripts: Record<Shell, string> = {
  bash: `# Completions of ralph for bash
_ralph() {
  local found line
  COMPREPLY=()
  found=$("\${COMP_WORDS[0]/#\\~/$HOME}" __complete bash "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) || return 0
  if [ "$found" = ":files" ]; then
    compopt -o default 2>/dev/null
    return 0
  fi
  if [ "$found" = ":folders" ]; then
    compopt -o dirnames 2>/dev/null
    return 0
  fi
  while IFS= read -r line; do
    if [ -n "$line" ]; then COMPREPLY+=("$line"); fi
  done <<<"$found"
}
complete -o nosort -F _ralph ralph ralph-memory 2>/dev/null || complete -F _ralph ralph ralph-memory
`,
  zsh: `#compdef ralph ralph-memory
# Completions of ralph for zsh
_ralph() {
  local -a found described
  local line
  found=("\${(@f)$("\${words[1]/#\\~/$HOME}" __complete zsh "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ "$found[1]" == ":files" ]]; then
    _files
    return
  fi
  if [[ "$found[1]" == ":folders" ]]; then
    _files -/
    return
  fi
  for line in "\${found[@]}"; do
    [[ -z "$line" ]] && continue
    if [[ "$line" == *$'\\t'* ]]; then
      described+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    else
      described+=("\${line//:/\\\\:}")
    fi
  done
  (( \${#described} )) && _describe -V 'ralph' described
}
if [[ "$funcstack[1]" == "_ralph" ]]; then
  _ralph "$@"
else
  compdef _ralph ralph ralph-memory
fi
`,
  fish: `# Completions of ralph for fish
function __ralph_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l program (string replace -r '^~' -- $HOME $words[1])
    set -l found ($program __complete fish $words[2..-1] 2>/dev/null)
    if test "$found" = ":files"
        __fish_complete_path (commandline -ct)
        return
    end
    if test "$found" = ":folders"
        __fish_complete_directories (commandline -ct)
        return
    end
    test (count $found) -gt 0; and printf '%s\\n' $found
end
complete -c ralph -c ralph-memory -k -f -a '(__ralph_complete)'
`,
};

export const completionCommand = defineCommand({
  summary: "print a script that completes commands in your shell",
  description:
    "It completes commands, options, their values, and the ids of tasks, notes and learnings.\n" +
    "Bash: add this line to ~/.bashrc: source <(ralph completion bash)\n" +
    "Zsh: write it to a file named _ralph in a folder of $fpath, before compinit.\n" +
    "Fish: write it to ~/.config/fish/completions/ralph.fish.",
  arguments: [{ name: "shell", summary: "bash, zsh or fish", values: shells }],
  examples: [
    "source <(ralph completion bash)",
    'ralph completion zsh > "$' + '{fpath[1]}/_ralph"',
    "ralph completion fish > ~/.config/fish/completions/ralph.fish",
  ],
  async run({ arguments: [shell = ""], print }) {
    const script = shellScripts[shell as Shell];
    print({ json: { shell, script }, table: Buffer.from(script) });
  },
});
