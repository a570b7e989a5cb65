import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";

const places = [
  process.env.CHROMIUM_PATH,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const found = places.find((path) => path !== undefined && path !== "" && existsSync(path));

if (found === undefined) {
  const message =
    "No Chromium was found: apt-get install -y chromium, or name one by CHROMIUM_PATH. The page is NOT tested.";
  if (process.env.CI) throw new Error(message);
  process.stderr.write(`\n!!! ${message}\n\n`);
}

/** Tests with a browser; skipped where there is none, but never in CI. */
export const describeInBrowser = describe.skipIf(found === undefined);

/** One browser for a file. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (found === undefined) return;
    browser = await chromium.launch({
      executablePath: found,
      args: [
        ...["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
        ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
        // A name of another site that leads to this machine, as after DNS rebinding.
        "--host-resolver-rules=MAP rebound.example 127.0.0.1, MAP evil.example 127.0.0.1",
      ],
    });
  });
  afterAll(() => browser?.close());
  return () => {
    if (browser === undefined) throw new Error("There is no browser");
    return browser;
  };
}
