import type { Environment } from "../../../domain/environment.js";

/** The words that open an address in the user's browser; undefined where there is no screen. */
export function browserCommand(
  address: string,
  platform: NodeJS.Platform,
  environment: Environment,
): readonly [string, ...string[]] | undefined {
  if (platform === "darwin") return ["open", address];
  // `start` is a word of the shell; its first argument would be a title.
  if (platform === "win32") return ["cmd", "/c", "start", "", address.replaceAll("&", "^&")];
  return environment.DISPLAY || environment.WAYLAND_DISPLAY ? ["xdg-open", address] : undefined;
}

/** False if there is no browser to open; the browser is not waited for. */
export async function openBrowser(address: string, environment: Environment): Promise<boolean> {
  const words = browserCommand(address, process.platform, environment);
  if (words === undefined) return false;
  const { spawn } = await import("node:child_process");
  const [program, ...args] = words;
  return new Promise((done) => {
    const child = spawn(program, args, { stdio: "ignore", detached: true, shell: false });
    child.once("error", () => done(false));
    child.once("spawn", () => {
      child.unref();
      done(true);
    });
  });
}
