/**
 * A program that starts the command which is installed: the one on the PATH, else the one of the package that the plugin lies in.
 * Agents copy plugins elsewhere, and put the copies on the PATH: so a launcher is known by its second line and never starts another.
 * Programs of the current folder are not looked for: a repository could bring its own.
 */
export const launcher = `#!/bin/sh
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
