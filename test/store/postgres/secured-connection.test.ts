import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPostgresStore } from "../../../src/store/postgres/open-postgres-store.js";
import {
  lackOfPostgres,
  type PostgresServer,
  query,
  startPostgres,
} from "../../support/postgres/postgres-server.js";
import { runRalph } from "../../support/run-ralph.js";
import { scratchFolder, scratchRepository } from "../../support/scratch.js";

const password = "correct-horse-battery-7431";
/** Not one of the names of this machine. */
const host = "127.0.0.2";

describe.skipIf(lackOfPostgres() !== undefined || process.platform !== "linux")(
  "the connection to a team's store on another machine",
  () => {
    let server: PostgresServer;
    let address: string;
    let certificate: string;
    beforeAll(async () => {
      const port = await freePort();
      server = await startPostgres({ listen_addresses: host, port: String(port) });
      const direct = await server.makeDatabase();
      await createPostgresStore({ address: direct, environment: {}, role: await makeRole(direct) });
      certificate = await secure(direct);
      address = `postgres://worker@${host}:${port}${new URL(direct).pathname}`;
    });
    afterAll(() => server.stop());

    const list = (url: string, env: Record<string, string> = {}) => {
      const cwd = scratchRepository();
      return runRalph(["task", "list"], {
        cwd,
        env: { HOME: scratchFolder(), RALPH_STORE_URL: url, ...env },
      });
    };
    const trusted = () => `${address}?sslrootcert=${encodeURIComponent(certificate)}`;

    it("is refused unless its certificate is known", async () => {
      const { status, stderr } = await list(address, { RALPH_STORE_PASSWORD: password });
      expect(stderr).toMatch(/^Error: The server's certificate is not accepted/);
      expect(stderr).toContain("sslrootcert");
      expect(status).toBe(1);
      expect((await list(`${address}?sslmode=disable`)).stderr).toContain("unencrypted");
    });

    it("takes the password from the environment, a file, or .pgpass", async () => {
      const file = join(scratchFolder(), "password");
      writeFileSync(file, `${password}\n`);
      const home = scratchFolder();
      writeFileSync(join(home, ".pgpass"), `other:*:*:*:wrong\n${host}:*:*:worker:${password}\n`, {
        mode: 0o600,
      });
      for (const env of [
        { RALPH_STORE_PASSWORD: password },
        { RALPH_STORE_PASSWORD_FILE: file },
        { HOME: home },
      ]) {
        const { status, stderr } = await list(trusted(), env);
        expect(stderr).toBe("No tasks to show\n");
        expect(status).toBe(0);
      }
    });

    it("asks for the password that it lacks", async () => {
      for (const env of [{}, { RALPH_STORE_PASSWORD: "" }])
        expect((await list(trusted(), env)).stderr).toMatch(
          /^Error: The store does not let this user in: .* \(set RALPH_STORE_PASSWORD/,
        );
    });

    it("is refused when the server does not encrypt it", async () => {
      const plain = createServer((socket) => socket.on("error", () => undefined).end("N"));
      const port = await new Promise<number>((resolve) =>
        plain.listen(0, host, () => resolve((plain.address() as AddressInfo).port)),
      );
      const { stderr } = await list(`postgres://worker@${host}:${port}/x`, {
        RALPH_STORE_PASSWORD: password,
      });
      plain.close();
      expect(stderr).toMatch(/^Error: The server does not encrypt its connections/);
    });

    it("never shows a password", async () => {
      const url = new URL(trusted());
      url.password = `${password}-wrong`;
      const wrong = `${password}-wrong`;
      for (const result of [
        await list(url.href),
        await list(trusted(), { RALPH_STORE_PASSWORD: wrong }),
        await list(url.href.replace("sslrootcert", "sslmode=strange&sslrootcert")),
        await list(`postgres://worker:${wrong}@${host}:99999/x`),
        await list(`postgres://worker:${wrong}@[`),
        await list(`postgres://worker:${wrong}@${host}:1/x`),
        await list(`postgres://worker:p@ss:${wrong}@/`),
        await list(`postgres://worker:${wrong}`),
        await list(`postgres://worker@${host}:1/x?password=${wrong}`),
      ]) {
        expect(result.status).not.toBe(0);
        expect(result.stdout + result.stderr).not.toContain(password);
        expect(result.stderr).toMatch(/^Error: /);
      }
    });

    async function makeRole(direct: string): Promise<string> {
      await query(direct, `CREATE ROLE worker LOGIN PASSWORD '${password}'`);
      return "worker";
    }

    /** Gives the server a certificate that it signed itself, and asks for passwords; the certificate's file. */
    async function secure(direct: string): Promise<string> {
      const [row] = await query(direct, "SELECT current_setting('data_directory') AS data");
      const data = String(row?.data);
      const folder = join(data, "tls");
      mkdirSync(folder);
      const [key, made] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
      execFileSync("openssl", [
        ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"],
        ...["-keyout", key, "-out", made, "-days", "2", "-subj", "/CN=store"],
        ...["-addext", `subjectAltName=IP:${host}`],
      ]);
      execFileSync("chown", ["-R", "--reference", data, folder]);
      chmodSync(key, 0o600);
      writeFileSync(join(data, "pg_hba.conf"), "local all owner trust\nhostssl all all all scram-sha-256\n");
      await query(direct, `ALTER SYSTEM SET ssl_cert_file = '${made}'`);
      await query(direct, `ALTER SYSTEM SET ssl_key_file = '${key}'`);
      await query(direct, "ALTER SYSTEM SET ssl = on");
      await query(direct, "SELECT pg_reload_conf()");
      const known = join(data, "..", "certificate.pem");
      copyFileSync(made, known);
      chmodSync(known, 0o644);
      return known;
    }
  },
);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
