import type { Failure } from "./failure.js";

const quoted = "(?:[\"'`].{0,300}[\"'`]|\\S{1,300})";

/** Messages that report a failure but not its cause: an exit code, or a runner's word about its script. */
const bareVerdicts = [
  /^(?:Error: )?Process completed with exit code \d+\.?$/i,
  /^(?:the )?(?:command|process|script|task|job|step|program|child process|subprocess|build|run|check|hook)s?(?: has| was)? (?:failed|exited|terminated|aborted|ended|finished)\b.{0,40}$/i,
  /^(?:\w+ ){0,3}exit(?:ed)?(?: with)?(?: non-zero)?(?: exit)?(?: code| status)?:? ?\(?\d+\)?\.?$/i,
  /^Lifecycle script .{0,300} failed\b.*$/i,
  /^(?:npm (?:ERR!|error) )?(?:code )?(?:ELIFECYCLE\b.{0,80}|errno \d+|\d+)$/i,
  /^npm (?:ERR!|error)(?:$| (?:code \S+|errno .*|path .*|workspace .*|location .*|command .*|cwd .*|dest .*|syscall .*|signal .*|Exit status .*|Failed at the .*|This is probably not .*|Test failed\b.*|A complete log .*|node v.*|npm v.*|For a full report .*)$)/,
  /^\[.{1,300}\] Error \d+$/,
  /^(?:g?make|ninja)(?:\[\d+\])?: .*(?:\bError \d+|build stopped|subcommand failed).*$/,
  /^recipe for target .* failed$/i,
  /^(?:Command|Script|Task|Recipe) .{1,300} (?:failed|exited|returned|finished) .{0,20}(?:exit |error |non-zero |status )(?:code|status|\d).*$/i,
  /^(?:(?:ERROR: )?failed to solve: )?(?:executor failed running \[.*|process .{1,900} did not complete successfully)(?:: exit code: \d+)?$/,
  /^The command .{1,900} returned a non-zero code: \d+$/,
  new RegExp(
    `^(?:[\\w@/.:#-]+: )?command (?:\\(.{0,300}\\) )?${quoted}(?: .{0,300})? exited \\(?\\d+\\)?$`,
    "i",
  ),
  /^run failed: command .{0,20}exited \(\d+\)$/i,
  /^(?:Execution failed for task|Build failed with an exception|Compilation failed|There were failing tests|Build FAILED)\b.{0,300}$/i,
  /^Failed to execute goal \S+:\S+:\S+:[\w-]+ .*$|^Failed while enforcing \w+\b.*$/,
  /^(?:\[ERROR\] )?Tests run: \d+, .*$/,
  // A Go package with its duration.
  /^\S+\s+(?:\(cached\)|\[(?:build|setup) failed\]|[\d.]+s)$/,
  /^could not compile .{1,200} due to .*$|^aborting due to .*$|^test failed, to rerun .*$/,
  /^(?:NX\s+)?Running target .{1,200} failed$|^.{1,200} exited with code \d+$/,
  /^The operation was cancell?ed\.?$/i,
  /^no result: the agent ended first$/,
  /^exit status \d+$|^signal: \w+$/,
  /^(?:error|failed|failure|fail|fatal|aborted)[.!:]*$/i,
  /^(?:error|failed to compile|build failed|compilation failed|tests? failed|lint(?:ing)? failed|check failed)\b[.!:]*(?: in [\d.]+ ?m?s)?$/i,
];

// A code above 128 names the signal that ended the process; 124 is a timeout, 126 and 127 a command that cannot be run.
const specificCode = /\b(?:exit(?:ed)? (?:with )?(?:code|status)|exited with):? ?(?:12[4-7]|13\d|14[0-3])\b/i;

/** Whether a message is never the cause if anything else is more specific. */
export function isBareVerdict(message: string): boolean {
  if (specificCode.test(message)) return false;
  const text = message.trim().replace(/^(?:error|ERROR|Error|ERR!|fatal|[✖✗×✘])[: ]\s*/, "");
  return bareVerdicts.some((pattern) => pattern.test(text) || pattern.test(message));
}

/** Whether a failure says what went wrong. */
export function isTelling({ test, message }: Failure): boolean {
  return test !== undefined || !isBareVerdict(message);
}

/** Failures that follow from another one; alone, each counts as a failure of its own. */
const consequences = [
  /^(?:Error: )?Timed out waiting \d+ms from config\.webServer\.?$/,
  /^(?:Error: )?Process from config\.webServer (?:was not able to start|exited early)\b/,
  /^Aborted$/,
  /^Hex dependency resolution failed$/,
  /^Could not read from remote repository\.$/,
  /^failed to push some refs to /,
  /^System check identified some issues:/,
  /^Rule \d+: \S+ failed with message:$/,
  /^Analysis of target .+ failed; build aborted/,
  /^Sibling tool call errored$/,
  /^An error has occurred, this and all later migrations canceled:/,
  /^Unable to build website for locale /,
  /^Docusaurus found broken (?:links|anchors)!$/,
  /^ResolutionImpossible: /,
];

export function isConsequence(message: string): boolean {
  return consequences.some((pattern) => pattern.test(message));
}
