/** What programs put into a prompt by themselves: results of background work, output of commands, reminders. */
const byPrograms =
  /^\s*<(?:task-notification|local-command-\w+|command-\w+|system-reminder|user-prompt-submit-hook|bash-(?:input|stdout|stderr))\b/;

/** Whether somebody has asked for something. */
export function isPrompt(text: string): boolean {
  return text.trim() !== "" && !byPrograms.test(text);
}
