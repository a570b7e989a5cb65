import type { Mark } from "./mark.js";

// Facts that scanners such as gitleaks and secretlint publish: what a token begins with, which characters follow, how many.
// Beside the kind stands the first character, or a class of them.
const formats = [
  ["age-key", "A", "AGE-(?:SECRET-KEY|PLUGIN-[A-Z0-9]{1,20})-1[A-Z0-9]{20,}"],
  ["anthropic-key", "s", "sk-ant-[\\w-]{16,}"],
  ["openai-key", "s", "sk-(?:proj|svcacct|admin|or-v1)-[\\w-]{20,}"],
  ["openai-key", "s", "sk-(?=[\\w-]{0,60}\\d)(?=[\\w-]{0,60}[A-Z])[\\w-]{20,}"],
  ["openai-key", "s", "sk-[a-f0-9]{32,64}(?![\\w-])"],
  ["aws-key", "A", "A(?:KIA|SIA|BIA|CCA|GPA|IDA|ROA|IPA|NPA|NVA|3T[A-Z0-9])[A-Z0-9]{16}(?![A-Za-z0-9])"],
  ["aws-key", "A", "ABSK[A-Za-z0-9+/]{60,}={0,2}"],
  ["aws-key", "b", "bedrock-api-key-[A-Za-z0-9+/=]{20,}"],
  ["github-token", "g", "gh[pousr]_(?:[A-Za-z0-9]{30,}|\\w{36,})"],
  ["github-token", "g", "github_pat_\\w{30,}"],
  [
    "gitlab-token",
    "g",
    "gl(?:pat|rt|rtr|dt|cbt|ptt|ft|soat|ffct|imt|agent|oas|wt)-[\\w-]{20,}(?:\\.[0-9a-z]{2,9}){0,3}",
  ],
  ["gitlab-token", "G", "GR1348941[\\w-]{20,}"],
  ["slack-token", "x", "xox[abcdeoprst](?:\\.xox[bp])?-[A-Za-z0-9%/+=-]{10,}"],
  ["slack-token", "x", "xapp-\\d-[A-Za-z0-9-]{10,}"],
  ["stripe-key", "prs", "(?:sk|rk|pk)_(?:live|test|prod)_[A-Za-z0-9]{10,}"],
  ["stripe-key", "w", "whsec_[A-Za-z0-9+/=]{20,}"],
  ["google-key", "A", "AIza[\\w-]{35}"],
  ["google-key", "G", "GOCSPX-[\\w-]{20,}"],
  ["google-token", "y", "ya29\\.[\\w.-]{20,}"],
  ["google-token", "1", "1//0[\\w-]{30,}"],
  // Names of variables begin alike: npm_config_registry.
  ["npm-token", "n", "npm_(?:[A-Za-z0-9]{36}|(?=\\w{0,35}\\d)(?=\\w{0,35}[A-Z])\\w{36})(?!\\w)"],
  ["pypi-token", "p", "pypi-[\\w-]{50,}"],
  ["huggingface-token", "ah", "(?:hf|api_org)_[A-Za-z0-9]{30,}"],
  ["sendgrid-key", "S", "SG\\.[\\w-]{16,64}\\.[\\w-]{16,}"],
  ["telegram-token", "0-9", "\\d{8,10}:A[\\w-]{33,}"],
  ["jwt", "e", "eyJ[\\w-]{8,}\\.eyJ[\\w-]{8,}(?:\\.[\\w-]*)?"],
  ["jwt", "e", "eyJ[\\w-]{10,}\\.[\\w-]*\\.[\\w-]{8,}\\.[\\w-]{8,}\\.[\\w-]{8,}"],
  // Model providers
  [
    "service-token",
    "cfgjlnprt",
    "(?:gsk|r8|csk|fw|tgp_v1|nvapi|jina|tvly|fc|lsv2_(?:pt|sk)|pcsk|cpk|ctx7sk)[_-](?=[\\w-]{0,90}\\d)[\\w-]{24,}",
  ],
  ["service-token", "px", "(?:pplx|xai)-[A-Za-z0-9]{32,}"],
  ["service-token", "ps", "(?:sk|pk)-lf-[a-f0-9-]{36}"],
  ["service-token", "b", "bce-v3/ALTAK-[A-Za-z0-9]{16,}/[a-f0-9]{32,}"],
  // Hosting and infrastructure
  ["service-token", "d", "do[opr]_v1_[a-f0-9]{64}"],
  ["service-token", "h", "hv[sbr]\\.[\\w-]{20,}"],
  ["service-token", "s", "s\\.(?=[A-Za-z0-9]{0,23}\\d)(?=[A-Za-z0-9]{0,23}[A-Z])[A-Za-z0-9]{24}(?![\\w.])"],
  ["service-token", "A-Za-z0-9", "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w=-]{50,}"],
  ["service-token", "d", "dapi[A-Fa-f0-9]{32}(?:-\\d)?"],
  ["service-token", "H", "HRKU-(?:AA)?[\\w-]{30,}"],
  ["service-token", "n", "nf[pcoub]_[A-Za-z0-9]{36,}"],
  ["service-token", "v", "vc[aikprb]_[A-Za-z0-9]{20,}"],
  ["service-token", "f", "(?:fo1_|fm1[ar]_|fm2_)[\\w+/=,-]{40,}"],
  ["service-token", "r", "rnd_[A-Za-z0-9]{28,}"],
  ["service-token", "p", "pul-[a-f0-9]{40}"],
  ["service-token", "p", "pscale_(?:tkn|oauth|pw|app)_[\\w=.-]{32,}"],
  ["service-token", "s", "sb[ps]?_(?:secret_|oauth_)?(?=\\w{0,30}\\d)[\\w-]{30,}"],
  ["service-token", "s", "sb_(?:secret|publishable)_[\\w-]{20,}"],
  ["service-token", "t", "tskey-(?:[a-z]+-)?[A-Za-z0-9]{6,}(?:-[A-Za-z0-9]{10,})?"],
  ["service-token", "L", "LTAI[A-Za-z0-9]{17,21}(?![A-Za-z0-9])"],
  ["service-token", "A", "AKID[A-Za-z0-9]{32}(?![A-Za-z0-9])"],
  ["service-token", "AY", "(?:AQVN|YC)[\\w-]{35,38}(?![\\w-])"],
  ["service-token", "t", "t1\\.[\\w=-]{6,}\\.[\\w-]{86}"],
  ["service-token", "y", "y0_[\\w-]{40,}"],
  ["service-token", "v", "v1\\.0-[a-f0-9]{24}-[a-f0-9]{100,}"],
  ["service-token", "c", "(?:cfut|cfat|cfk)_[A-Za-z0-9]{32,}"],
  ["service-token", "s", "sha256~[\\w-]{43}"],
  ["service-token", "S", "SCW[A-Z0-9]{17}(?![A-Z0-9])"],
  ["service-token", "t", "tk-us-[\\w-]{40,}"],
  ["service-token", "d", "dnkey-[\\w=-]{26}-[\\w=-]{40,}"],
  ["service-token", "d", "dckr_[op]at_[\\w-]{20,}"],
  ["service-token", "d", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[\\w-]{1,30}\\.)?[A-Za-z0-9]{38,}"],
  ["service-token", "4", "4b1d[A-Za-z0-9]{38}(?![A-Za-z0-9])"],
  ["service-token", "b", "bws?\\.?[0-9]\\.[a-f0-9-]{36}\\.[A-Za-z0-9+/=:]{20,}"],
  ["service-token", "h", "hooks?_[a-f0-9]{40,}"],
  // Source, packages and builds
  ["service-token", "s", "shp(?:at|ca|pa|ss|tka|ua)_[A-Za-z0-9]{32,}"],
  ["service-token", "r", "rubygems_[a-f0-9]{48}"],
  ["service-token", "C", "CLOJARS_[A-Za-z0-9]{60}"],
  ["service-token", "o", "oy2[a-z0-9]{43}(?![a-z0-9])"],
  ["service-token", "A", "AKCp[A-Za-z0-9]{60,}"],
  ["service-token", "c", "cmVmd[A-Za-z0-9]{50,}"],
  ["service-token", "C", "CCIPAT_[A-Za-z0-9]{10,}_[a-f0-9]{30,}"],
  ["service-token", "s", "sq[aup]_[a-f0-9]{40}"],
  ["service-token", "s", "sgp_(?:[A-Za-z0-9]{5,16}_)?[a-f0-9]{40}"],
  ["service-token", "s", "snyk_(?:uat|sat)\\.[\\w.-]{20,}"],
  ["service-token", "b", "bkua_[a-f0-9]{40}"],
  ["service-token", "c", "crates_[A-Za-z0-9]{30,}"],
  ["service-token", "c", "cio[A-Za-z0-9]{32}(?![A-Za-z0-9])"],
  ["service-token", "ps", "(?:pat|sat)\\.[\\w-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}"],
  ["service-token", "p", "pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}"],
  ["service-token", "A", "API-[A-Z0-9]{26}(?![A-Z0-9])"],
  ["service-token", "i", "ico-[A-Za-z0-9]{32}(?![A-Za-z0-9])"],
  ["service-token", "p", "pnu_[A-Za-z0-9]{36}"],
  ["service-token", "r", "rdme_[a-z0-9]{64,}"],
  // Observability
  ["service-token", "g", "gl(?:sa_\\w{32,}|c_[A-Za-z0-9+/]{32,}={0,2})"],
  ["service-token", "e", "eyJrIjoi[A-Za-z0-9+/=_-]{40,}"],
  ["service-token", "s", "sntry[su]_[\\w+/=-]{40,}"],
  ["service-token", "N", "NR(?:AK|II|JS|IQ|RA|AL|SP)-[A-Za-z0-9_-]{16,}"],
  ["service-token", "d", "dt0[a-z]\\d\\d\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}"],
  ["service-token", "p", "ph[cxs]_[A-Za-z0-9]{30,}"],
  ["service-token", "d", "dd(?:p|app|api)_[A-Za-z0-9]{34,}"],
  ["service-token", "h", "hc[abi](?:[lm]k|ik)_[a-z0-9]{50,}"],
  ["service-token", "lp", "logfire_?v\\d_[a-z]{2}_[\\w]{30,}|pylf_v\\d_[a-z]{2}_\\w{30,}"],
  // Work and messages
  ["service-token", "l", "lin_(?:api|oauth)_\\w{32,}"],
  ["service-token", "n", "ntn_[A-Za-z0-9]{40,}"],
  ["service-token", "s", "secret_[A-Za-z0-9]{43}(?![A-Za-z0-9])"],
  ["service-token", "f", "figd?[uor]?_[\\w-]{40,}"],
  ["service-token", "A", "AT(?:ATT3|CTT3|BB|STT3?|OAT)[\\w=-]{20,}"],
  ["service-token", "B", "BBDC-[A-Za-z0-9+/]{40,}"],
  ["service-token", "P", "PMA[KT]-[A-Za-z0-9]{24,}(?:-[A-Za-z0-9]{30,})?"],
  ["service-token", "C", "CFPAT-[\\w-]{43}"],
  [
    "service-token",
    "A",
    "A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}",
  ],
  ["service-token", "o", "ops_ey[A-Za-z0-9+/=_-]{60,}"],
  ["service-token", "MNO", "(?:[MNO][A-Za-z\\d_-]{23,27})\\.[\\w-]{6}\\.[\\w-]{27,}"],
  ["service-token", "m", "mfa\\.[\\w-]{80,}"],
  ["service-token", "x", "xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}|xsmtpsib-[a-f0-9]{64}-[A-Za-z0-9]{16}"],
  ["service-token", "k", "key-[a-f0-9]{32}(?![a-f0-9])"],
  ["service-token", "a-f0-9", "[a-f0-9]{32}-us\\d{1,2}(?!\\d)"],
  ["service-token", "a-f0-9", "[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}(?![a-f0-9-])"],
  ["service-token", "r", "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}"],
  ["service-token", "m", "mlsn\\.[a-f0-9]{60,}"],
  ["service-token", "AS", "(?:SK|AC)(?=[a-f]{0,31}\\d)[a-f0-9]{32}(?![A-Za-z0-9])"],
  ["service-token", "t", "tfp_[\\w.=-]{40,}"],
  ["service-token", "f", "fio-u-[\\w=-]{60,}"],
  ["service-token", "c", "cal_(?:live|test)_[A-Za-z0-9]{20,}"],
  ["service-token", "p", "pat-(?:na|eu|ap)\\d-[a-f0-9-]{36}"],
  ["service-token", "a", "apify_api_[A-Za-z0-9]{30,}"],
  ["service-token", "e", "e2b_[a-f0-9]{40}"],
  // Payments and shops
  ["service-token", "s", "sq0(?:atp|csp|idp)-[\\w-]{22,}"],
  ["service-token", "E", "EAAA[\\w-]{50,}"],
  ["service-token", "E", "EAA[A-Z][A-Za-z0-9]{80,}"],
  ["service-token", "I", "IGQ[A-Za-z][\\w-]{80,}"],
  ["service-token", "E", "EZ[AT]K[A-Za-z0-9]{54}"],
  ["service-token", "s", "shippo_(?:live|test)_[A-Fa-f0-9]{40}"],
  ["service-token", "d", "duffel_(?:live|test)_[\\w=-]{40,}"],
  ["service-token", "F", "FLW(?:SEC|PUB)K(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)?"],
  ["service-token", "lt", "(?:live|test)_(?:pub_)?[a-f0-9]{31,35}(?![a-f0-9])"],
  ["service-token", "a", "access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$[a-f0-9]{32}"],
  ["service-token", "a", "access-(?:sandbox|development|production)-[a-f0-9-]{36}"],
  ["service-token", "r", "rzp_(?:live|test)_[A-Za-z0-9]{14,}"],
  ["service-token", "a", "amzn\\.mws\\.[a-f0-9-]{36}"],
  ["service-token", "p", "p8e-[A-Za-z0-9]{32}"],
  ["service-token", "s", "sl\\.[A-Za-z0-9_-]{100,}"],
  ["service-token", "A-Za-z0-9", "[A-Za-z0-9]{11}AAAAAAAAAA[\\w=-]{40,}"],
  ["service-token", "s", "sm_[aps]at_[A-Za-z0-9]{16,}"],
  [
    "service-token",
    "aes",
    "(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\\.[A-Za-z0-9]{4,6}\\.acc[_-][A-Za-z0-9-]{10,32}\\.[\\w+/=-]{30,}",
  ],
  ["service-token", "s", "s-s4t2(?:ud|af)-[a-f0-9]{64}"],
  ["service-token", "A-Za-z0-9", "[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"],
  ["service-token", "A", "A{22}[A-Za-z0-9%]{60,}"],
  ["service-token", "0-9", "\\d{15,16}\\|[\\w-]{27,40}"],
  ["service-token", "w", "waka_[a-f0-9-]{36}"],
  ["service-token", "o", "ory_(?:at|rt|st|pat|apikey|ac)_[\\w.-]{30,}"],
  ["service-token", "r", "rpa_[A-Z0-9]{30,}"],
  // Keys that stand alone
  ["service-token", "x", "xprv[A-Za-z0-9]{100,}"],
  ["service-token", "n", "nsec1[a-z0-9]{58}"],
  ["service-token", "S", "S[UAONC][A-Z2-7]{56}(?![A-Z0-9])"],
  ["service-token", "Z", "ZXlK[A-Za-z0-9+/=_-]{40,}"],
  // An Entra client secret has its mark in the middle.
  ["azure-secret", "\\w~.", "[\\w~.]{3}\\dQ~[\\w~.-]{31,34}"],
] as const;

export type TokenKind = (typeof formats)[number][0];

/** Runs of characters that can hold a token: everything else is skipped quickly. */
const candidate = /[\w~.+/=%|:$-]{16,}/g;

/** The formats that can begin with a character, as one pattern with a group for each kind. */
interface Bucket {
  pattern: RegExp;
  kinds: TokenKind[];
}

let buckets: (Bucket | undefined)[] | undefined;

/** By code of the first character; compiled when the first long word is met. */
function compile(): (Bucket | undefined)[] {
  return Array.from({ length: 128 }, (_, code) => {
    const beginning = formats.filter(([, first]) => new RegExp(`[${first}]`).test(String.fromCharCode(code)));
    const kinds = [...new Set(beginning.map(([kind]) => kind))];
    const groups = kinds.map(
      (kind) => `(${beginning.flatMap((each) => (each[0] === kind ? [each[2]] : [])).join("|")})`,
    );
    return kinds.length === 0 ? undefined : { pattern: new RegExp(groups.join("|"), "y"), kinds };
  });
}

/** Tokens that are known by how they look. */
export function redactTokens(text: string, mark: Mark): string {
  return text.replace(candidate, (run) => redactRun(run, mark));
}

function redactRun(run: string, mark: Mark): string {
  buckets ??= compile();
  let safe = "";
  let done = 0;
  let isAfterLetter = false;
  for (let at = 0; at < run.length; at += 1) {
    const code = run.charCodeAt(at);
    const bucket = isAfterLetter ? undefined : buckets[code];
    isAfterLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
    if (bucket === undefined) continue;
    bucket.pattern.lastIndex = at;
    const match = bucket.pattern.exec(run);
    if (match === null) continue;
    const kind = bucket.kinds[match.slice(1).findIndex((group) => group !== undefined)] ?? "service-token";
    safe += run.slice(done, at) + mark(kind, match[0]);
    done = at + match[0].length;
    at = done - 1;
    isAfterLetter = false;
  }
  return safe + run.slice(done);
}
