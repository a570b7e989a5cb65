import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact, redactDeep } from "../../../src/text/secrets/redact.js";

// Assembled here, so that no scanner reports this file as a leak.
const key = (prefix: string, length: number) => prefix + "a1B2c3D4e5".repeat(10).slice(0, length);

const secrets: [kind: string, text: string][] = [
  ["aws-key", `AKIA${"ABCDEFGH23456789"}`],
  ["credential", `aws_secret_access_key = ${key("", 40)}`],
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
  ["credential", "DB_PASSWORD=s3cr3tpw"],
  ["credential", "DB_PASSWORD=correcthorsebatterystaple"],
  ["credential", "SECRET_KEY=dj4ngo-insecure-9f8a"],
  ["credential", "SECRET_KEY_BASE=0123456789abcdef"],
  ["credential", "NPM_TOKEN=0123456789abcdef"],
  ["credential", "API_TOKEN: 0123456789abcdef"],
  ["credential", "password: Abc$12345defgh678"],
  ["credential", "AccountKey=abcdefgh12345678ABCDEFGH=="],
  ["basic-credentials", "curl -s -u admin:hunter2 https://example.com"],
  ["aws-key", `_AKIA${"ABCDEFGH23456789"}_`],
  ["telegram-token", `123456789:AA${"b1".repeat(17)}`],
  ["age-key", `AGE-SECRET-KEY-1${"ABCD2345".repeat(7)}`],
  ["service-token", `shpat_${"0a".repeat(16)}`],
  ["service-token", `fc-${"0a".repeat(16)}`],
  ["url-credentials", "postgres://u:p@ssw0rd12@host/db"],
  ["url-credentials", `https://${"0a1b".repeat(8)}@github.com/o/r`],
  ["credential", "api_key: 0123456789abcdef"],
  ["credential", `:password => '${key("", 12)}'`],
  ["credential", `SecretAccessKey: /${key("", 39)}`],
  ["github-token", key("TOKEN_ghp_", 36)],
];

describe("redaction", () => {
  it.each(secrets)("replaces a secret of the kind %s", (kind, text) => {
    const { text: safe, found } = redact(`before ${text} after`);
    expect(found).toContain(kind);
    expect(safe).toContain(`[redacted:${kind}]`);
    expect(safe.startsWith("before ")).toBe(true);
  });

  it("leaves no mark of punctuation that may belong to a password", () => {
    expect(redact("password=hunter2xyz! and more").text).toBe("password=[redacted:credential] and more");
    expect(redact("DB_PASSWORD=s3cret!!").text).toBe("DB_PASSWORD=[redacted:credential]");
  });

  it("keeps the context of a secret", () => {
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
    "sk-learn-compatible-estimator and sk-folding-cube-container-1",
    "token src/auth/oauth2/handler.ts and basic packages/api-v2/src/index.ts",
    "PWD=/home/user1/projects/app, private_key: ./certs/server-2024.pem",
    "apiKey = config.services.v2.apiKey; password: process.env.DB_PASSWORD2_FALLBACK",
    "docker://image:tag1@sha256:abc, tokens: 2000, max_tokens=2000",
    "tokens.map((token) => verifyTokenWithOAuth2(token)), password => hashPasswordWithArgon2(password)",
    "npm_package_dependencies_of_the_workspace1 and ops_eyes_of_the_storm, figd_up, vca_2024",
    "sk-learn is scikit-learn; the npm_config_registry variable; AKIA is a prefix",
  ])("leaves ordinary text alone: %s", (text) => {
    expect(redact(text)).toEqual({ text, found: [] });
  });

  it("leaves every UUID alone", () => {
    expect(redact("46cb91fc-52a6-4954-9c7d-e22796fad93f").found).toEqual([]);
    fc.assert(fc.property(fc.uuid(), (uuid) => redact(uuid).text === uuid));
  });

  it("is idempotent", () => {
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

  it("finishes on text crafted to slow it down", () => {
    for (const text of [
      "password:",
      "a-b_c.",
      "AIza",
      "-----BEGIN PRIVATE KEY-----",
      "https://a:b",
      "://:",
      "token=>",
      "npm_",
      "ops_ey",
      "curl -u ",
    ]) {
      expect(redact(text.repeat(20_000)).text.length).toBeGreaterThan(0);
    }
  }, 20_000);
});

describe("redaction inside values", () => {
  it("knows a secret by the name of its field", () => {
    expect(redactDeep({ user: "app", password: "hunter2", nested: [{ apiKey: "abc123def456" }] })).toEqual({
      user: "app",
      password: "[redacted:credential]",
      nested: [{ apiKey: "[redacted:credential]" }],
    });
  });

  it("knows a secret by the word before it on a command line", () => {
    expect(redactDeep({ argv: ["tool", "--password", "correcthorse9", "--verbose"] })).toEqual({
      argv: ["tool", "--password", "[redacted:credential]", "--verbose"],
    });
  });

  it("leaves names, types and references alone", () => {
    const value = {
      password: "string",
      token: "$TOKEN",
      max_tokens: "2000",
      key: "user:1",
      path: ["-p", "a"],
    };
    expect(redactDeep(value)).toEqual(value);
  });
});
