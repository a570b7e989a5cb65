#!/usr/bin/env node
import { version } from "../../version.js";
import { keptLayout, loadCode, type Require } from "./load-code.js";

/** What Node gives to each CommonJS file, as this one is when it is bundled; the imports below become calls of it. */
declare let require: Require;

const code = loadCode(process.argv.slice(2), import.meta.dirname, require);
require = code.require;
void import("../run-cli.js").then(async ({ runCli }) => {
  const status = await runCli(version);
  try {
    const news = status === 0 ? code.findNews() : undefined;
    if (news !== undefined) (await import("./keep-code.js")).keepCode(news, keptLayout);
  } catch {
    // An update may have replaced this version while it ran.
  }
  // At once: everything is written by now, and tearing down Node takes milliseconds.
  endNow(status);
});

/** `process.exit` tells listeners first, with functions that every process has to compile; nobody listens at the end of most commands. */
function endNow(status: number): void {
  const { reallyExit } = process as { reallyExit?: (status: number) => never };
  if (reallyExit === undefined || process.listenerCount("exit") > 0) process.exit(status);
  reallyExit.call(process, status);
}
