/**
 * How much a name tells about its value: certain ones make any literal a secret, likely ones what is not plain words, and faint ones
 * only what looks random.
 */
export type NameStrength = "certain" | "likely" | "faint";

/** What follows the telling word when the value is something about a secret rather than the secret. */
const aboutIt = new Set(
  (
    "file files path paths dir folder url uri endpoint host name names id ids type types kind length len size count limit min max field fields label hint policy " +
    "expiry expires expiration expire expired ttl lifetime timeout age rotation regex pattern format header headers algorithm alg algo version enabled " +
    "disabled required optional index strategy manager provider service store storage class input prompt reset valid validator validation " +
    "validate invalid error errors message messages budget usage used window rate cost per ratio column table schema model mode source env var variable " +
    "ref reference arn hash hashed hasher digest hashing encoder strength checker check generator generate auth0 placeholder title description text " +
    "encryption encrypted protected page link email form screen view component props test tests spec mock fixture change changed update updated " +
    "at on by scope scopes permission permissions user username owner role group audience issuer aud iss prefix suffix separator delimiter sep char chars " +
    "based less free bucket stream parser tree list set map cache lookup order sort usage stats total throughput limiter"
  ).split(" "),
);

/** What comes before `key` or `token` when it is no secret. */
const harmless = new Set(
  (
    "public pub primary foreign cache sort partition hash map dict object lookup index unique composite natural surrogate candidate hot short " +
    "shortcut routing idempotency group row column field item config setting translation i18n query react storage local s3 bucket redis registry json yaml " +
    "property prop attribute metadata meta feature flag event message record document doc parent child node tree range start end next prev previous page " +
    "continuation cancel cancellation cancelled abort eos bos pad unk mask sep cls stop special max min num total input output prompt completion " +
    "context window first last any each current reasoning cached used remaining non pos ssh host known key left right up down arrow enter escape esc tab " +
    "press modifier meta home delete backspace a the this that by per of in on with no same other new old answer turn mon don hoc"
  ).split(" "),
);

const certain = new Set(
  (
    "password passwd passwort passphrase passcode pwd pass pw secret secretkey apikey apisecret apitoken accesskey secretaccesskey accesstoken authtoken authkey privatekey clientsecret " +
    "refreshtoken sessiontoken bearertoken accountkey sharedaccesskey sharedkey signingkey encryptionkey masterkey appkey appsecret servicekey connectionstring bindpw userpw " +
    "rootpw dbpass dbpassword storepass keypass psk presharedkey mnemonic seedphrase requirepass masterauth webhooksecret jwtsecret sessionsecret cookiesecret consumersecret " +
    "subscriptionkey storagekey deploykey licensekey functionkey hostkeys keydata contraseña senha mdp motdepasse kennwort sharedaccesssignature sastoken otpauth totpsecret credentials"
  ).split(" "),
);

const likely = new Set(
  "token tokens auth creds credential jwt bearer otp pin salt pat cookie hmac passwords secrets session dsn sid sas connstr authorization".split(
    " ",
  ),
);

const services =
  /adafruit|airtable|algolia|alibaba|aliyun|amplitude|asana|atlassian|auth0|azure|beamer|bitbucket|bittrex|buildkite|circleci|clerk|cloudflare|cloudinary|codecov|cohere|coinbase|confluent|contentful|datadog|deepseek|digitalocean|discord|dropbox|droneci|elevenlabs|etsy|facebook|fastly|finicity|finnhub|firebase|flickr|freshbooks|gitter|gocardless|grafana|heroku|honeycomb|hubspot|intercom|jfrog|artifactory|kraken|kucoin|launchdarkly|linkedin|lob|mailchimp|mailgun|mapbox|mattermost|maxmind|meraki|messagebird|mistral|mixpanel|mongodb|netlify|newrelic|new_relic|nytimes|okta|openai|openrouter|pagerduty|paypal|plaid|planetscale|postmark|posthog|pusher|rapidapi|razorpay|rollbar|segment|sendbird|sendgrid|sendinblue|sentry|shopify|slack|snyk|sonar|spotify|square|squarespace|stripe|sumo|supabase|telegram|terraform|together|travis|twilio|twitch|twitter|typeform|vercel|wakatime|yandex|zendesk/;

/** `PGPASSWORD`, `dbpassword`, `npmauthtoken`. */
const runTogether = /.(?:password|passwd|passphrase|apikey|authtoken|accesstoken)$/;

const parts = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;

const telling =
  /pass|pwd|pw|psk|secret|token|key|auth|cred|jwt|bearer|otp|pin|salt|pat|cookie|hmac|sess|dsn|sid|sas|conn|mnemonic|seed|contrase|senha|mdp|kennwort/i;

const judged = new Map<string, NameStrength | undefined>();
const maxJudged = 2000;

/** Whether a text can hold a name that makes its value a secret. */
export function mayHoldName(text: string): boolean {
  return telling.test(text) || services.test(text.toLowerCase());
}

/** Judges a name such as `DB_PASSWORD`, `apiKey`, `spring.datasource.password` or `client-key-data`. */
export function strengthOf(name: string): NameStrength | undefined {
  if (judged.has(name)) return judged.get(name);
  const strength = telling.test(name) || services.test(name.toLowerCase()) ? judge(name) : undefined;
  // Names repeat within a text; the limit keeps a long one from filling memory.
  if (judged.size >= maxJudged) judged.clear();
  judged.set(name, strength);
  return strength;
}

function judge(name: string): NameStrength | undefined {
  const words = (name.match(parts) ?? []).map((part) => part.toLowerCase());
  const last = words.length - 1;
  for (let at = last; at >= 0; at -= 1) {
    const word = words[at] ?? "";
    const joined = at > 0 ? `${words[at - 1]}${word}` : word;
    const found =
      certain.has(word) ||
      runTogether.test(word) ||
      certain.has(joined) ||
      certain.has(`${words[at - 2] ?? ""}${joined}`)
        ? "certain"
        : likely.has(word)
          ? "likely"
          : undefined;
    const isKey = word === "key" || word === "keys";
    if (found === undefined && !isKey) continue;
    const following = words.slice(at + 1);
    if (following.some((next) => aboutIt.has(next))) return undefined;
    if (found !== "certain" && harmless.has(words[at - 1] ?? "")) return undefined;
    return found ?? (at > 0 ? "faint" : undefined);
  }
  return services.test(name.toLowerCase()) && !words.some((word) => aboutIt.has(word)) ? "faint" : undefined;
}
