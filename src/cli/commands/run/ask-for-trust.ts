import type { Memory } from "../../../memory/memory.js";
import type { TrustRequest } from "../../../trust/request.js";
import type { Invocation, OptionSpecs } from "../../framework/command.js";
import { canPrompt } from "../../input/ask.js";
import { confirm } from "../../input/confirm.js";
import { printNotice } from "../../output/terminal/notices.js";
import { renderRequests } from "../trust/render-requests.js";

/** Asks on a terminal whether to allow what the project asks for; elsewhere says what is left out. */
export async function askForTrust(
  memory: Memory,
  { terminal }: Pick<Invocation<OptionSpecs>, "terminal">,
  matters: (request: TrustRequest) => boolean,
): Promise<void> {
  const { refused } = await memory.settings();
  for (const key of refused) printNotice({ kind: "setting-refused", key }, terminal);
  const denied = (await memory.trust.list()).filter((request) => !request.isAllowed && matters(request));
  if (denied.length === 0) return;
  if (await canPrompt(terminal)) {
    terminal.talk(
      `This project asks for what Ralph does not do without your consent:\n\n${renderRequests(denied)}\n`,
    );
    if (await confirm("Allow it, until it changes?", terminal)) {
      await memory.trust.allow(denied);
      return;
    }
  }
  printNotice({ kind: "left-out", requests: denied }, terminal);
}
