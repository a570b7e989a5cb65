import type { Mark } from "./mark.js";

// Facts that scanners such as gitleaks and secretlint publish: what a token begins with, which characters follow, how many.
const formats = [
  ["age-key", "AGE-", "(?:SECRET-KEY|PLUGIN-[A-Z0-9]{1,20})-1[A-Z0-9]{20,}"],
  ["anthropic-key", "sk-ant-", "[\\w-]{16,}"],
  ["openai-key", "sk-proj- sk-svcacct- sk-admin- sk-or-v1-", "[\\w-]{20,}"],
  ["openai-key", "sk-", "(?=[\\w-]{0,60}\\d)(?=[\\w-]{0,60}[A-Z])[\\w-]{20,}"],
  ["openai-key", "sk-", "[a-f0-9]{32,64}(?![\\w-])"],
  ["aws-key", "AKIA ASIA ABIA ACCA AGPA AIDA AROA AIPA ANPA ANVA", "[A-Z0-9]{16}(?![A-Za-z0-9])"],
  ["aws-key", "A3T", "[A-Z0-9]{17}(?![A-Za-z0-9])"],
  ["aws-key", "ABSK", "[A-Za-z0-9+/]{60,}={0,2}"],
  ["aws-key", "bedrock-api-key-", "[A-Za-z0-9+/=]{20,}"],
  ["github-token", "ghp_ gho_ ghu_ ghs_ ghr_", "(?:[A-Za-z0-9]{30,}|\\w{36,})"],
  ["github-token", "github_pat_", "\\w{30,}"],
  [
    "gitlab-token",
    "glpat- glrt- glrtr- gldt- glcbt- glptt- glft- glsoat- glffct- glimt- glagent- gloas- glwt-",
    "[\\w-]{20,}(?:\\.[0-9a-z]{2,9}){0,3}",
  ],
  ["gitlab-token", "GR1348941", "[\\w-]{20,}"],
  [
    "slack-token",
    "xoxa xoxb xoxc xoxd xoxe xoxo xoxp xoxr xoxs xoxt",
    "(?:\\.xox[bp])?-[A-Za-z0-9%/+=-]{10,}",
  ],
  ["slack-token", "xapp-", "\\d-[A-Za-z0-9-]{10,}"],
  [
    "stripe-key",
    "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ pk_live_ pk_test_ pk_prod_",
    "[A-Za-z0-9]{10,}",
  ],
  ["stripe-key", "whsec_", "[A-Za-z0-9+/=]{20,}"],
  ["google-key", "AIza", "[\\w-]{35}"],
  ["google-key", "GOCSPX-", "[\\w-]{20,}"],
  ["google-token", "ya29.", "[\\w.-]{20,}"],
  ["google-token", "1//0", "[\\w-]{30,}"],
  // Names of variables begin alike: npm_config_registry.
  ["npm-token", "npm_", "(?:[A-Za-z0-9]{36}|(?=\\w{0,35}\\d)(?=\\w{0,35}[A-Z])\\w{36})(?!\\w)"],
  ["pypi-token", "pypi-", "[\\w-]{50,}"],
  ["huggingface-token", "hf_ api_org_", "[A-Za-z0-9]{30,}"],
  ["sendgrid-key", "SG.", "[\\w-]{16,64}\\.[\\w-]{16,}"],
  ["jwt", "eyJ", "[\\w-]{8,}\\.eyJ[\\w-]{8,}(?:\\.[\\w-]*)?"],
  ["jwt", "eyJ", "[\\w-]{10,}\\.[\\w-]*\\.[\\w-]{8,}\\.[\\w-]{8,}\\.[\\w-]{8,}"],
  // Model providers
  [
    "service-token",
    "gsk r8 csk fw tgp_v1 nvapi jina tvly lsv2_pt lsv2_sk pcsk cpk ctx7sk",
    "[_-](?=[\\w-]{0,90}\\d)[\\w-]{24,}",
  ],
  // A UUID can go on like this, but for its hyphens.
  ["service-token", "fc- fc_", "(?=\\w{0,90}\\d)\\w{24,}"],
  ["service-token", "pplx- xai-", "[A-Za-z0-9]{32,}"],
  ["service-token", "sk-lf- pk-lf-", "[a-f0-9-]{36}"],
  ["service-token", "bce-v3/ALTAK-", "[A-Za-z0-9]{16,}/[a-f0-9]{32,}"],
  // Hosting and infrastructure
  ["service-token", "doo_v1_ dop_v1_ dor_v1_", "[a-f0-9]{64}"],
  ["service-token", "hvs. hvb. hvr.", "[\\w-]{20,}"],
  ["service-token", "s.", "(?=[A-Za-z0-9]{0,23}\\d)(?=[A-Za-z0-9]{0,23}[A-Z])[A-Za-z0-9]{24}(?![\\w.])"],
  ["service-token", "dapi", "[A-Fa-f0-9]{32}(?:-\\d)?"],
  ["service-token", "HRKU-", "(?:AA)?[\\w-]{30,}"],
  ["service-token", "nfp_ nfc_ nfo_ nfu_ nfb_", "[A-Za-z0-9]{36,}"],
  ["service-token", "vca_ vci_ vck_ vcp_ vcr_ vcb_", "[A-Za-z0-9]{20,}"],
  ["service-token", "fo1_ fm1a_ fm1r_ fm2_", "[\\w+/=,-]{40,}"],
  ["service-token", "rnd_", "[A-Za-z0-9]{28,}"],
  ["service-token", "pul-", "[a-f0-9]{40}"],
  ["service-token", "pscale_tkn_ pscale_oauth_ pscale_pw_ pscale_app_", "[\\w=.-]{32,}"],
  ["service-token", "sb", "[ps]?_(?:secret_|oauth_)?(?=\\w{0,30}\\d)[\\w-]{30,}"],
  ["service-token", "sb_secret_ sb_publishable_", "[\\w-]{20,}"],
  ["service-token", "tskey-", "(?:[a-z]+-)?[A-Za-z0-9]{6,}(?:-[A-Za-z0-9]{10,})?"],
  ["service-token", "LTAI", "[A-Za-z0-9]{17,21}(?![A-Za-z0-9])"],
  ["service-token", "AKID", "[A-Za-z0-9]{32}(?![A-Za-z0-9])"],
  ["service-token", "AQVN YC", "[\\w-]{35,38}(?![\\w-])"],
  ["service-token", "t1.", "[\\w=-]{6,}\\.[\\w-]{86}"],
  ["service-token", "y0_", "[\\w-]{40,}"],
  ["service-token", "v1.0-", "[a-f0-9]{24}-[a-f0-9]{100,}"],
  ["service-token", "cfut_ cfat_ cfk_", "[A-Za-z0-9]{32,}"],
  ["service-token", "sha256~", "[\\w-]{43}"],
  ["service-token", "SCW", "[A-Z0-9]{17}(?![A-Z0-9])"],
  ["service-token", "tk-us-", "[\\w-]{40,}"],
  ["service-token", "dnkey-", "[\\w=-]{26}-[\\w=-]{40,}"],
  ["service-token", "dckr_oat_ dckr_pat_", "[\\w-]{20,}"],
  ["service-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", "(?:[\\w-]{1,30}\\.)?[A-Za-z0-9]{38,}"],
  ["service-token", "4b1d", "[A-Za-z0-9]{38}(?![A-Za-z0-9])"],
  ["service-token", "bw", "s?\\.?[0-9]\\.[a-f0-9-]{36}\\.[A-Za-z0-9+/=:]{20,}"],
  ["service-token", "hook", "s?_[a-f0-9]{40,}"],
  // Source, packages and builds
  ["service-token", "shpat_ shpca_ shppa_ shpss_ shptka_ shpua_", "[A-Za-z0-9]{32,}"],
  ["service-token", "rubygems_", "[a-f0-9]{48}"],
  ["service-token", "CLOJARS_", "[A-Za-z0-9]{60}"],
  ["service-token", "oy2", "[a-z0-9]{43}(?![a-z0-9])"],
  ["service-token", "AKCp", "[A-Za-z0-9]{60,}"],
  ["service-token", "cmVmd", "[A-Za-z0-9]{50,}"],
  ["service-token", "CCIPAT_", "[A-Za-z0-9]{10,}_[a-f0-9]{30,}"],
  ["service-token", "sqa_ squ_ sqp_", "[a-f0-9]{40}"],
  ["service-token", "sgp_", "(?:[A-Za-z0-9]{5,16}_)?[a-f0-9]{40}"],
  ["service-token", "snyk_uat. snyk_sat.", "[\\w.-]{20,}"],
  ["service-token", "bkua_", "[a-f0-9]{40}"],
  ["service-token", "crates_", "[A-Za-z0-9]{30,}"],
  ["service-token", "cio", "[A-Za-z0-9]{32}(?![A-Za-z0-9])"],
  ["service-token", "pat. sat.", "[\\w-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}"],
  ["service-token", "pat", "[A-Za-z0-9]{14}\\.[a-f0-9]{64}"],
  ["service-token", "API-", "[A-Z0-9]{26}(?![A-Z0-9])"],
  ["service-token", "ico-", "[A-Za-z0-9]{32}(?![A-Za-z0-9])"],
  ["service-token", "pnu_", "[A-Za-z0-9]{36}"],
  ["service-token", "rdme_", "[a-z0-9]{64,}"],
  // Observability
  ["service-token", "gl", "(?:sa_\\w{32,}|c_[A-Za-z0-9+/]{32,}={0,2})"],
  ["service-token", "eyJrIjoi", "[A-Za-z0-9+/=_-]{40,}"],
  ["service-token", "sntrys_ sntryu_", "[\\w+/=-]{40,}"],
  ["service-token", "NRAK- NRII- NRJS- NRIQ- NRRA- NRAL- NRSP-", "[A-Za-z0-9_-]{16,}"],
  ["service-token", "dt0", "[a-z]\\d\\d\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}"],
  ["service-token", "phc_ phx_ phs_", "[A-Za-z0-9]{30,}"],
  ["service-token", "ddp_ ddapp_ ddapi_", "[A-Za-z0-9]{34,}"],
  ["service-token", "hcalk_ hcamk_ hcaik_ hcblk_ hcbmk_ hcbik_ hcilk_ hcimk_ hciik_", "[a-z0-9]{50,}"],
  ["service-token", "logfire", "_?v\\d_[a-z]{2}_[\\w]{30,}"],
  ["service-token", "pylf_v", "\\d_[a-z]{2}_\\w{30,}"],
  // Work and messages
  ["service-token", "lin_api_ lin_oauth_", "\\w{32,}"],
  ["service-token", "ntn_", "[A-Za-z0-9]{40,}"],
  ["service-token", "secret_", "[A-Za-z0-9]{43}(?![A-Za-z0-9])"],
  ["service-token", "fig", "d?[uor]?_[\\w-]{40,}"],
  ["service-token", "AT", "(?:ATT3|CTT3|BB|STT3?|OAT)[\\w=-]{20,}"],
  ["service-token", "BBDC-", "[A-Za-z0-9+/]{40,}"],
  ["service-token", "PMAK- PMAT-", "[A-Za-z0-9]{24,}(?:-[A-Za-z0-9]{30,})?"],
  ["service-token", "CFPAT-", "[\\w-]{43}"],
  [
    "service-token",
    "A3-",
    "[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
  ],
  ["service-token", "ops_ey", "[A-Za-z0-9+/=_-]{60,}"],
  ["service-token", "M N O", "[A-Za-z\\d_-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,}"],
  ["service-token", "mfa.", "[\\w-]{80,}"],
  ["service-token", "xkeysib-", "[a-f0-9]{64}-[A-Za-z0-9]{16}"],
  ["service-token", "xsmtpsib-", "[a-f0-9]{64}-[A-Za-z0-9]{16}"],
  ["service-token", "key-", "[a-f0-9]{32}(?![a-f0-9])"],
  ["service-token", "re_", "[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}"],
  ["service-token", "mlsn.", "[a-f0-9]{60,}"],
  ["service-token", "SK AC", "(?=[a-f]{0,31}\\d)[a-f0-9]{32}(?![A-Za-z0-9])"],
  ["service-token", "tfp_", "[\\w.=-]{40,}"],
  ["service-token", "fio-u-", "[\\w=-]{60,}"],
  ["service-token", "cal_live_ cal_test_", "[A-Za-z0-9]{20,}"],
  ["service-token", "pat-na pat-eu pat-ap", "\\d-[a-f0-9-]{36}"],
  ["service-token", "apify_api_", "[A-Za-z0-9]{30,}"],
  ["service-token", "e2b_", "[a-f0-9]{40}"],
  // Payments and shops
  ["service-token", "sq0atp- sq0csp- sq0idp-", "[\\w-]{22,}"],
  ["service-token", "EAAA", "[\\w-]{50,}"],
  ["service-token", "EAA", "[A-Z][A-Za-z0-9]{80,}"],
  ["service-token", "IGQ", "[A-Za-z][\\w-]{80,}"],
  ["service-token", "EZAK EZTK", "[A-Za-z0-9]{54}"],
  ["service-token", "shippo_live_ shippo_test_", "[A-Fa-f0-9]{40}"],
  ["service-token", "duffel_live_ duffel_test_", "[\\w=-]{40,}"],
  ["service-token", "FLWSECK FLWPUBK", "(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)?"],
  ["service-token", "live_ test_", "(?:pub_)?[a-f0-9]{31,35}(?![a-f0-9])"],
  ["service-token", "access_token$production$ access_token$sandbox$", "[a-z0-9]{16}\\$[a-f0-9]{32}"],
  ["service-token", "access-sandbox- access-development- access-production-", "[a-f0-9-]{36}"],
  ["service-token", "rzp_live_ rzp_test_", "[A-Za-z0-9]{14,}"],
  ["service-token", "amzn.mws.", "[a-f0-9-]{36}"],
  ["service-token", "p8e-", "[A-Za-z0-9]{32}"],
  ["service-token", "sl.", "[A-Za-z0-9_-]{100,}"],
  ["service-token", "sm_aat_ sm_pat_ sm_sat_", "[A-Za-z0-9]{16,}"],
  [
    "service-token",
    "sc_ ext_ scauth_ authress_",
    "[A-Za-z0-9]{5,30}\\.[A-Za-z0-9]{4,6}\\.acc[_-][A-Za-z0-9-]{10,32}\\.[\\w+/=-]{30,}",
  ],
  ["service-token", "s-s4t2ud- s-s4t2af-", "[a-f0-9]{64}"],
  ["service-token", "waka_", "[a-f0-9-]{36}"],
  ["service-token", "ory_at_ ory_rt_ ory_st_ ory_pat_ ory_apikey_ ory_ac_", "[\\w.-]{30,}"],
  ["service-token", "rpa_", "[A-Z0-9]{30,}"],
  // Keys that stand alone
  ["service-token", "xprv", "[A-Za-z0-9]{100,}"],
  ["service-token", "nsec1", "[a-z0-9]{58}"],
  ["service-token", "SU SA SO SN SC", "[A-Z2-7]{56}(?![A-Z0-9])"],
  ["service-token", "ZXlK", "[A-Za-z0-9+/=_-]{40,}"],
] as const;

/** Tokens that are known by something inside of them. */
const floating = [
  ["telegram-token", ":A", "\\d{8,10}:A[\\w-]{33,}"],
  ["service-token", ".atlasv1.", "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w=-]{50,}"],
  ["service-token", "-us", "[a-f0-9]{32}-us\\d{1,2}(?!\\d)"],
  ["service-token", "AAAAAAAAAA", "[A-Za-z0-9]{11}AAAAAAAAAA[\\w=-]{40,}"],
  ["service-token", "_mmk", "[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"],
  ["service-token", "AAAAAAAAAAAAAAAAAAAAAA", "A{22}[A-Za-z0-9%]{60,}"],
  ["service-token", "|", "\\d{15,16}\\|[\\w-]{27,40}"],
  // An Entra client secret has its mark in the middle.
  ["azure-secret", "Q~", "[\\w~.]{3}\\dQ~[\\w~.-]{31,34}"],
] as const;

export type TokenKind = (typeof formats)[number][0] | (typeof floating)[number][0];

/** Runs of characters that can hold a token: everything else is skipped quickly. */
const candidate = /[\w~.+/=%|:$-]{16,}/g;

interface Format {
  kind: TokenKind;
  prefix: string;
  rest: string;
}

let byFirst: Format[][] | undefined;
const compiled = new Map<string, RegExp>();

/** By code of the first character. */
function formatsByFirst(): Format[][] {
  const index: Format[][] = [];
  for (const [kind, prefixes, rest] of formats)
    for (const prefix of prefixes.split(" ")) {
      const code = prefix.charCodeAt(0);
      index[code] = [...(index[code] ?? []), { kind, prefix, rest }];
    }
  return index;
}

/** Compiled when the first text needs it: a command meets few of them. */
function patternOf(source: string, flags: "y" | "g"): RegExp {
  const known = compiled.get(source) ?? new RegExp(source, flags);
  compiled.set(source, known);
  return known;
}

/** Tokens that are known by how they look. */
export function redactTokens(text: string, mark: Mark): string {
  const possible = floating.filter(([, inside]) => text.includes(inside));
  return text.replace(candidate, (run) => redactFloating(redactRun(run, mark), possible, mark));
}

function redactFloating(run: string, possible: readonly (typeof floating)[number][], mark: Mark): string {
  let safe = run;
  for (const [kind, inside, pattern] of possible)
    if (safe.includes(inside))
      safe = safe.replace(patternOf(`(?<![A-Za-z])(?:${pattern})`, "g"), (token) => mark(kind, token));
  return safe;
}

function redactRun(run: string, mark: Mark): string {
  byFirst ??= formatsByFirst();
  let safe = "";
  let done = 0;
  let isAfterLetter = false;
  for (let at = 0; at < run.length; at += 1) {
    const code = run.charCodeAt(at);
    const possible = isAfterLetter ? undefined : byFirst[code];
    isAfterLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
    if (possible === undefined) continue;
    const found = tokenAt(run, at, possible);
    if (found === undefined) continue;
    safe += run.slice(done, at) + mark(found.kind, run.slice(at, found.end));
    done = found.end;
    at = done - 1;
    isAfterLetter = false;
  }
  return safe + run.slice(done);
}

function tokenAt(
  run: string,
  at: number,
  possible: readonly Format[],
): { kind: TokenKind; end: number } | undefined {
  for (const { kind, prefix, rest } of possible) {
    if (!run.startsWith(prefix, at)) continue;
    const pattern = patternOf(rest, "y");
    pattern.lastIndex = at + prefix.length;
    if (pattern.test(run)) return { kind, end: pattern.lastIndex };
  }
  return undefined;
}
