import { rules } from "@secretlint/secretlint-rule-preset-recommend";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact } from "../../../src/text/secrets/redact.js";

/** As much of a rule as is used here. */
interface Rule {
  meta: { id: string };
  create(context: object, options: object): { file(source: object): Promise<void> | void };
}

const ruleByName = new Map((rules as readonly Rule[]).map((rule) => [nameOf(rule), rule]));

function nameOf({ meta }: Rule): string {
  return meta.id.replace("@secretlint/secretlint-rule-", "");
}

/** The rules of secretlint that find a secret in a text. */
async function rulesThatReport(text: string): Promise<string[]> {
  const found: string[] = [];
  for (const [name, rule] of ruleByName) {
    const context = { createTranslator: () => () => ({}), report: () => found.push(name) };
    if (!others.includes(name)) await rule.create(context, {}).file({ content: text, ext: ".json" });
  }
  return found;
}

/** Without our marks, in which secretlint sees a name and a password: `[redacted:url-credentials]@host`. */
function redactedWithoutMarks(text: string): string {
  return redact(text).text.replace(/\[redacted:[a-z-]+\]/g, "");
}

const like = (...patterns: RegExp[]) => fc.oneof(...patterns.map((pattern) => fc.stringMatching(pattern)));

const pem = (kind: string, lineEnd: string) =>
  fc
    .stringMatching(/^MII[A-Za-z0-9+/]{300}$/)
    .map((key) =>
      [
        `-----BEGIN ${kind}PRIVATE KEY-----`,
        ...(key.match(/.{1,64}/g) ?? []),
        `-----END ${kind}PRIVATE KEY-----`,
        "",
      ].join(lineEnd),
    );

/** Secrets in the formats that each rule knows, as long as real ones are. */
const formats: Record<string, fc.Arbitrary<string>> = {
  aws: like(
    /^(?:A3T[A-Z0-9]|AKIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ASIA)[A-Z0-9]{16}$/,
    /^(?:AWS_SECRET_ACCESS_KEY|aws_secret_access_key|SecretAccessKey|"secretAccessKey") ?(?::|=|=>) ?"[A-Za-z0-9/+]{39}[A-Za-z0-9]$/,
  ),
  npm: like(
    /^https:\/\/[a-f0-9]{40}:x-oauth-basic@github\.com\/$/,
    /^_authToken=[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}$/,
    /^npm_[A-Za-z0-9]{36}$/,
    // With an underscore, only what has a digit and a capital is taken for a token: npm_config_registry is not.
    /^npm_[A-Za-z0-9_]{34}[A-Z][0-9]$/,
  ),
  basicauth: like(/^(?:https?|ftps?):\/\/[a-z0-9_-]{3,12}:[A-Za-z0-9_-]{8,30}@[a-z]{3,9}\.(?:com|io)$/),
  slack: like(
    /^xox[bpaor]-(?:\d-)?\d{10,13}-\d{10,13}-[A-Za-z0-9]{24}$/,
    /^xapp-1-A[A-Z0-9]{10}-\d{13}-[a-f0-9]{40}$/,
    /^https:\/\/hooks\.slack\.com\/services\/T[A-Z0-9]{8,10}\/B[A-Z0-9]{8,10}\/[A-Za-z0-9]{24}$/,
  ),
  sendgrid: like(/^SG\.[A-Za-z0-9_]{22}\.[A-Za-z0-9_]{20}-[A-Za-z0-9_]{22}$/),
  shopify: like(/^shp(?:pa|ca|at|ss)_[A-Za-z0-9]{32,64}$/),
  github: like(/^gh[pousr]_[A-Za-z0-9_]{36}$/, /^github_pat_[A-Za-z0-9_]{82}$/),
  gitlab: like(/^glpat-[A-Za-z0-9_-]{19,40}[A-Za-z0-9]$/),
  grafana: like(/^glc_[A-Za-z0-9+/]{32,200}={0,2}$/, /^glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}$/),
  openai: like(
    /^sk-(?:proj|svcacct|admin)-[A-Za-z0-9_-]{74}T3BlbkFJ[A-Za-z0-9_-]{73}[A-Za-z0-9]$/,
    /^sk-[a-zA-Z0-9]{20}T3BlbkFJ[a-zA-Z0-9]{20}$/,
  ),
  anthropic: like(/^sk-ant-api0\d-[A-Za-z0-9_-]{93}AA$/),
  groq: like(/^gsk_[a-zA-Z0-9]{52}$/),
  huggingface: like(/^hf_[a-zA-Z]{34}$/),
  linear: like(/^lin_api_[a-zA-Z0-9_]{32,64}$/),
  notion: like(/^ntn_[0-9]{11}[A-Za-z0-9]{35}$/),
  privatekey: fc.oneof(pem("", "\n"), pem("RSA ", "\n"), pem("EC ", "\\n"), pem("OPENSSH ", "\n")),
  gcp: pem("", "\n").map((key) => JSON.stringify({ private_key_id: "0a1b", private_key: key })),
  "1password": fc
    .record({
      email: fc.emailAddress(),
      muk: fc.stringMatching(/^[A-Za-z0-9]{80}$/),
      userAuth: fc.base64String(),
    })
    .map((account) => JSON.stringify(account))
    // The last brace stands alone in its group of three bytes.
    .map(
      (account) =>
        `ops_${Buffer.from(account.replace("{", `{${" ".repeat((4 - (account.length % 3)) % 3)}`)).toString("base64")}`,
    ),
  "database-connection-string": like(
    /^(?:mongodb|mongodb\+srv|mysql|mysqlx|jdbc:mysql|postgres|postgresql):\/\/[a-z0-9_]{2,12}:[A-Za-z0-9!$%^&*_+.~-]{9,30}@[a-z0-9.-]{3,20}:\d{4}\/[a-z]{2,8}$/,
  ),
  "hashicorp-vault": like(
    /^hv[sr]\.[A-Za-z0-9_-]{94}[A-Za-z0-9]$/,
    /^hvb\.[A-Za-z0-9_-]{140,199}[A-Za-z0-9]$/,
  ),
  vercel: like(/^vc[piark]_[A-Za-z0-9]{24,56}$/),
  databricks: like(/^dapi[A-Fa-f0-9]{32}(?:-[0-9])?$/),
  docker: like(/^dckr_pat_[a-zA-Z0-9_-]{26}[A-Za-z0-9]$/),
  figma: like(/^figd_[A-Za-z0-9_-]{40,60}$/),
};

const surroundings = fc.constantFrom(
  ["", ""],
  ["see ", " for that"],
  ['{"name": "', '"}'],
  ["export NAME=", "\n"],
  ["(", ")"],
  ["`", "`"],
  ["name_", "\n"],
  ["数据", "。"],
);

/** A rule that finds no secrets. */
const others = ["filter-comments"];

describe("what secretlint takes for a secret", () => {
  it("is tried for each of its rules", () => {
    expect([...Object.keys(formats), ...others].sort()).toEqual([...ruleByName.keys()].sort());
  });

  it.each(Object.entries(formats))("is redacted: %s", async (rule, secrets) => {
    await fc.assert(
      fc.asyncProperty(secrets, surroundings, async (secret, [before, after]) => {
        const text = `${before}${secret}${after}`;
        fc.pre((await rulesThatReport(text)).includes(rule));
        expect(redact(text).text).not.toContain(secret);
        expect(await rulesThatReport(redactedWithoutMarks(text))).toEqual([]);
      }),
    );
  });
});
