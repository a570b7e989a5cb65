import { spawn } from "node:child_process";
import { chmodSync, chownSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { fileAppears } from "../eventually.js";
import { scratchFolder } from "../scratch.js";

const nobody = 65_534;

/** pgbouncer before a database, with two connections for all that ask; the way to the database through it. */
export async function startPool(address: string): Promise<string> {
  const url = new URL(address);
  const database = url.pathname.slice(1);
  const folder = scratchFolder();
  const isRoot = process.getuid?.() === 0;
  const configuration = join(folder, "pgbouncer.ini");
  writeFileSync(join(folder, "users.txt"), '"owner" ""\n');
  writeFileSync(
    configuration,
    `[databases]
${database} = host=${url.searchParams.get("host")} dbname=${database} user=owner
[pgbouncer]
listen_addr =
unix_socket_dir = ${folder}
listen_port = 5432
auth_type = trust
auth_file = ${join(folder, "users.txt")}
pool_mode = transaction
default_pool_size = 2
ignore_startup_parameters = extra_float_digits
`,
  );
  chmodSync(folder, 0o755);
  if (isRoot) chownSync(folder, nobody, nobody);
  const pool = spawn("pgbouncer", ["--quiet", configuration], {
    stdio: "ignore",
    ...(isRoot && { uid: nobody, gid: nobody }),
  });
  onTestFinished(() => void pool.kill("SIGKILL"));
  url.searchParams.set("host", folder);
  await fileAppears(join(folder, ".s.PGSQL.5432"));
  return url.href;
}
