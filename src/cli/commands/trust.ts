import type { TrustState } from "../../memory/trust/trust.js";
import { isStartedByAgent } from "../../processes/runner.js";
import { withoutControls } from "../../text/control-characters.js";
import { shownAddress } from "../../text/secrets/shown-address.js";
import type { TrustRequest } from "../../trust/request.js";
import { defineCommand, wrongUse } from "../framework/command.js";
import { flag } from "../framework/options.js";
import { canPrompt, confirm } from "../input/ask.js";

export const trustCommand = defineCommand({
  summary: "allow what a project's files ask Ralph to do",
  description:
    "A repository can name programs, checks, servers and packages in ralph.yml, bring links that lead out of it, or its own\n" +
    "records with commands to resume; a dump can bring texts that read like instructions to an agent. Ralph does and shows none\n" +
    "of that until you have allowed it here; when it changes, it asks again.\n" +
    "Shows everything that would be allowed, asks on a terminal, and allows it. WITHOUT A TERMINAL IT ALLOWS EVERYTHING AT ONCE,\n" +
    "as with --yes: there, to call it is your consent; --list only looks. Consent is kept in $RALPH_HOME/trust.\n" +
    "RALPH_TRUST=1 allows everything for one command, as in CI. run.allow_all is honoured only in your own ralph.yml, or as\n" +
    "ralph run --allow-all.",
  options: {
    list: flag("only show what the project asks for"),
    yes: flag("do not ask", "y"),
    withdraw: flag("withdraw all consent for this project"),
  },
  examples: ["ralph trust", "ralph trust --list", "ralph trust --withdraw"],
  async run({ options, terminal, print, environment, openMemory }) {
    if (options.list && options.withdraw)
      throw wrongUse("--list and --withdraw exclude each other", "--list changes nothing");
    const memory = await openMemory();
    if (options.withdraw) {
      const isAny = await memory.trust.withdraw();
      terminal.talk(
        isAny ? "Nothing that this project asks for is allowed any more\n" : "Nothing was allowed\n",
      );
      return 0;
    }
    const requests = await memory.trust.list();
    print({ json: requests.map(toJson), table: describe(requests) });
    const denied = requests.filter(({ isAllowed }) => !isAllowed);
    if (options.list || denied.length === 0) return 0;
    if (isStartedByAgent(environment))
      throw wrongUse("An agent cannot allow what a project asks for", "run ralph trust yourself");
    // Elsewhere, to call this command is the consent.
    const mustAsk = !options.yes && (await canPrompt(terminal));
    if (mustAsk && !(await confirm("Allow it, until it changes?", terminal))) {
      terminal.talk("Nothing was allowed\n");
      return 1;
    }
    await memory.trust.allow(denied);
    terminal.talk("Allowed, until it changes\n");
  },
});

function describe(requests: readonly TrustState[]): string {
  const [allowed, denied] = [true, false].map((isAllowed) =>
    requests.filter((request) => request.isAllowed === isAllowed),
  ) as [TrustState[], TrustState[]];
  if (requests.length === 0) return "This project asks for nothing that needs your consent\n";
  return [
    allowed.length > 0 ? `Allowed:\n\n${renderRequests(allowed)}` : "",
    denied.length > 0 ? `Not allowed so far:\n\n${renderRequests(denied)}` : "",
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function toJson(request: TrustState) {
  const { kind, name, effect, isAllowed } = request;
  return { kind, name, value: shownValue(request), effect, allowed: isAllowed };
}

const addressSettings = ["store.url", "embedder.address", "reflector.address"];

/**
 * Everything that a request contains: nothing of it may be hidden, not even what looks like a secret, because a command may be
 * written so that a part of it does. Only the password of an address changes nothing about what is allowed.
 */
function shownValue({ kind, name, value }: TrustRequest): string {
  if (kind !== "setting" || !addressSettings.includes(name)) return value;
  return JSON.stringify(shownAddress(JSON.parse(value) as string));
}

/** Each request with everything it contains: nothing of it may be cut, or begin a line of its own. */
export function renderRequests(requests: readonly TrustRequest[]): string {
  return requests
    .map(
      (request) => `  ${inOneLine(request.name)}: ${request.effect}\n    ${inOneLine(shownValue(request))}\n`,
    )
    .join("");
}

function inOneLine(text: string): string {
  return withoutControls(text.replaceAll("\n", "⏎"));
}
