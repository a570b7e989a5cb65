import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact } from "../../src/text/redact.js";

// Put together here, so that no scanner takes this file for a leak.
const key = (prefix: string, length: number) => prefix + "a1B2c3D4e5".repeat(10).slice(0, length);

const secrets: [kind: string, text: string][] = [
  ["aws-key", `AKIA${"ABCDEFGH23456789"}`],
  ["aws-secret", `aws_secret_access_key = ${key("", 40)}`],
  ["github-token", key("ghp_", 36)],
  ["github-token", key("github_pat_", 60)],
  ["gitlab-token", key("glpat-", 20)],
  ["slack-token", key("xoxb-", 30)],
  ["stripe-key", key("sk_live_", 24)],
  ["openai-key", key("sk-proj-", 48)],
  ["anthropic-key", key("sk-ant-api03-", 60)],
  ["google-key", key("AIza", 35)],
  ["npm-token", key("npm_", 36)],
  ["jwt", `${key("eyJ", 20)}.${key("eyJ", 30)}.${key("", 30)}`],
  ["private-key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----"],
  ["private-key", "-----BEGIN OPENSSH PRIVATE KEY-----\ncut off"],
  ["url-credentials", "postgres://app:hunter2@db.local:5432/app"],
  ["url-credentials", "https://:token@example.com/x.git"],
  ["bearer-token", `Authorization: Bearer ${key("", 40)}`],
  ["credential", 'DB_PASSWORD="correct-horse-9"'],
  ["credential", "api_key: 0123456789abcdef"],
];

describe("redaction", () => {
  it.each(secrets)("replaces a secret of the kind %s", (kind, text) => {
    const { text: safe, found } = redact(`before ${text} after`);
    expect(found).toContain(kind);
    expect(safe).toContain(`[redacted:${kind}]`);
    expect(safe.startsWith("before ")).toBe(true);
  });

  it("keeps what makes the rest readable", () => {
    expect(redact("use postgres://app:hunter2@db.local:5432/app").text).toBe(
      "use postgres://[redacted:url-credentials]@db.local:5432/app",
    );
  });

  it.each([
    "ECONNREFUSED on port 5432 means PostgreSQL isn't running. Fix: `docker-compose up -d`",
    "The password field must not be empty; see src/auth/password.ts",
    "token = nextToken(); secret: see the vault",
    "git clone https://github.com/owner/repo.git and http://localhost:3000/a@b",
    "commit 9f1c2d3e4b5a69788796a5b4c3d2e1f0a1b2c3d4 broke task-001-skip-me-please",
    "sk-learn is scikit-learn; the npm_config_registry variable; AKIA is a prefix",
  ])("leaves ordinary text alone: %s", (text) => {
    expect(redact(text)).toEqual({ text, found: [] });
  });

  it("changes nothing more the second time", () => {
    const words = fc.constantFrom(
      ...secrets.map(([, text]) => text),
      "password",
      "=",
      ":",
      " ",
      "\n",
      "https://",
      "@",
      "x9",
    );
    fc.assert(
      fc.property(fc.array(words), (parts) => {
        const once = redact(parts.join("")).text;
        expect(redact(once).text).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });

  it("stays quick on a long line without secrets", () => {
    const time = (length: number) => {
      const text = "a-b_c.".repeat(length);
      const start = performance.now();
      redact(text);
      return performance.now() - start;
    };
    time(1000);
    // Four times the text may take four times as long, not sixteen.
    expect(time(8000)).toBeLessThan(Math.max(20, time(2000) * 12));
  });
});
