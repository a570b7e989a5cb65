import { applyRules, type Mark, type SecretRule } from "./mark.js";
import { isStandIn, isWords } from "./values.js";

/** A word on a command line, bare or quoted; its quote belongs to what comes before it. */
const quote = "\\\\?[\"']?";
const word = `((?<=")[^"\\n\\\\]{1,400}|(?<=')[^'\\n\\\\]{1,400}|(?<!["'])[^\\s"'\`|;&<>]{1,400})`;

const flag =
  "(?<![\\w-])--?(?:[a-z0-9]+[-_.]){0,5}(?:pass(?:word|wd|phrase|code)?|pwd|pw|secret(?:[-_]?(?:access)?[-_]?key)?|(?:access|auth|api|bearer|refresh|personal|bot|user|id|session|registration|vault|root|admin|deploy|git)?[-_]?token|auth[-_]?key|api[-_]?key|apikey|access[-_]?key|account[-_]?key|private[-_]?key|encryption[-_]?key|signing[-_]?key|license[-_]?key|credentials?|storepass|keypass|psk|bearer|otp|dbpass|with-token)(?:[-_](?:value|string|text|secret|key))?(?:[= ]|\\s{1,4}|=\\s)";

// What a program takes as a password: `-p X`, `-pX`, `user:password`.
const options: [program: string, option: string][] = [
  ["mysql\\w*|mariadb\\w*|mysqld?ump|mytop|percona\\w*|xtrabackup|innobackupex", "-p"],
  ["sshpass|7z[azr]?|rar|unrar|ipmitool", "-[pP]\\s{0,3}"],
  ["redis-cli|keydb-cli|valkey-cli", "(?:-a|--pass)\\s{1,3}"],
  [
    "curl|wget|http|https|httpie|xh|aria2c|ab|hey|wrk|siege",
    "(?:-u|--user|-U|--proxy-user|-a|--auth|-A)[ =]?\\s{0,2}[\"']?[^\\s:\"']{0,64}:",
  ],
  ["docker|podman|nerdctl|helm|skopeo|buildah|oras|crane|oc|argocd", "login\\b[^\\n|;]{0,200}?\\s-p\\s{1,3}"],
  [
    "az|twine|mongo\\w*|cqlsh|cypher-shell|clickhouse\\w*|influx|rdesktop|rabbitmqadmin|hydra|smbmap|crackmapexec|impacket\\S*",
    "-p\\s{1,3}",
  ],
  ["ldap\\w+", "-w\\s{0,3}"],
  ["zip|unzip|sqlcmd|bcp|isql|tsql|osql|mosquitto_\\w+|ipmitool|nsenter", "-P\\s{0,3}"],
  ["smbclient|winexe|net|rpcclient|mount\\.cifs|smbget", "-U\\s{0,3}[\"']?[\\w.\\\\/-]{1,64}%"],
  ["lftp|ncftp\\w*", "-u\\s{0,3}[\"']?[\\w.@-]{1,64},"],
  ["xfreerdp3?|wfreerdp", "/p:"],
  ["openssl", "-(?:pass|passin|passout|k|K)\\s{1,3}(?:pass:)?"],
  [
    "keytool|jarsigner|apksigner",
    "-(?:storepass|keypass|srcstorepass|deststorepass|destkeypass)\\s{1,3}(?:pass:)?",
  ],
  ["snmp\\w+", "-[AXac]\\s{1,3}"],
  ["htpasswd", "-\\w*b\\w*\\s{1,3}(?:-\\w+\\s{1,3}){0,3}\\S{1,200}\\s{1,3}\\S{1,64}\\s{1,3}"],
  ["rabbitmqctl", "(?:add_user|change_password|authenticate_user)\\s{1,3}\\S{1,64}\\s{1,3}"],
  ["aws", "configure\\s{1,3}set\\s{1,3}\\S{0,60}(?:secret_access_key|session_token)\\s{1,3}"],
  [
    "npm|yarn|pnpm",
    "config\\s{1,3}set\\s{1,3}\\S{0,200}(?:_authToken|_password|_auth|npmAuthToken)(?:\\s{1,3}|=)",
  ],
  ["ngrok|cloudflared", "(?:authtoken|add-authtoken|--token)\\s{1,3}"],
  ["vault", "(?:login|unseal)\\s{1,3}(?:-[\\w=-]{1,40}\\s{1,3}){0,4}(?:token=)?"],
  ["doctl|flyctl|linode-cli", "-t\\s{1,3}"],
  ["gh", "secret\\s{1,3}set\\s[^\\n]{0,100}?(?:-b|--body)[ =]"],
  ["wpa_passphrase", "[\"']?[^\\s\"']{1,64}[\"']?\\s{1,3}"],
  ["neo4j-admin", "set-initial-password\\s{1,3}"],
  ["net", "use\\s[^\\n]{0,200}?/user:\\S{1,64}\\s{1,3}"],
  ["net", "use\\s{1,3}\\S{1,40}\\s{1,3}\\\\\\\\\\S{1,100}\\s{1,3}"],
  ["htpasswd", "-\\w*(?:nb|bn)\\w*\\s{1,3}\\S{1,64}\\s{1,3}"],
  ["net", "user\\s{1,3}\\S{1,64}\\s{1,3}"],
  ["psexec\\w*|wmic|plink|pscp|pwsh|powershell", "(?:-p|-pw|/password:)\\s{0,3}"],
  ["nmcli", "password\\s{1,3}"],
  ["rclone", "(?:obscure|config\\s{1,3}password)\\s{1,3}"],
  [
    "pulumi|wrangler|fly|flyctl|vercel|netlify|supabase|eas",
    "(?:config set --secret|secrets?:?\\s?set|env:set)\\s{1,3}[A-Za-z_]\\w{0,60}[ =]",
  ],
];

// What tells a secret after it, with a hint that is quick to look for, on a line of a program, a script or a configuration file.
const statements: [hint: string, statement: string][] = [
  [
    "identified",
    "\\bidentified\\s{1,3}(?:with\\s{1,3}\\S{1,60}\\s{1,3})?(?:by|as)\\s{1,3}(?:password\\s{1,3})?",
  ],
  [
    "password",
    "\\b(?:user|role|login|group|account)\\b[^\\n;]{0,120}?\\bpassword\\s{0,3}(?:=\\s{0,3})?N?(?=\\\\?['\"])",
  ],
  ["password", "\\bset\\s{1,3}password\\b[^\\n;]{0,80}?=\\s{0,3}(?:password\\s{0,2}\\()?\\s{0,2}"],
  [
    "^[ \\t]*(?:requirepass|masterauth|rootpw|bindpw|olcRootPW|auth|snmp-server|enable|username|key-string|neighbor|radius|tacacs)",
    "^[ \\t]*(?:requirepass|masterauth|rootpw|bindpw|olcRootPW:|auth_pass|auth-user-pass|snmp-server community|enable secret(?: \\d)?|enable password(?: \\d)?|username \\S+ (?:privilege \\d+ )?(?:password|secret)(?: \\d)?|key-string|neighbor \\S+ password(?: \\d)?|radius-server key|tacacs-server key)\\s{1,3}",
  ],
  [
    "passw",
    "\\b(?:login|machine)\\s{1,4}\\S{1,100}\\s{1,8}(?:login\\s{1,4}\\S{1,100}\\s{1,8})?(?:password|passwd)\\s{1,4}",
  ],
  [
    "(?:export|define|setenv|setx|declare|set|ENV|ARG)\\s",
    "(?:\\b|#)(?:export|define|setenv|setx|declare -x|set -[gUx]{1,3}x?|ENV|ARG)\\s{1,4}\\w{0,60}(?:PASSWORD|PASSWD|PASS|PWD|SECRET|TOKEN|API_?KEY|(?:ACCESS|PRIVATE|SECRET|ENCRYPTION|SIGNING|AUTH|MASTER|SESSION|JWT)_?KEY|_PAT|CREDENTIALS?)\\s{1,4}",
  ],
  [
    "echo",
    "\\becho\\s{1,3}(?:-n\\s{1,3})?(?=[^\\n|]{1,300}\\|[^\\n]{0,120}(?:--password-stdin|passwd --stdin|sudo -S|--with-token|secret set|secret create|cryptsetup|gpg[^\\n]{0,60}--passphrase-fd))",
  ],
  ["echo", "\\becho\\s{1,3}[\"']?[\\w.-]{1,40}:(?=[^\\n|]{1,200}\\|\\s{0,3}(?:sudo\\s{1,3})?chpasswd)"],
  ["securestring", "\\bConvertTo-SecureString\\s{1,3}(?:-String\\s{1,3})?"],
  [
    "--from-literal",
    "\\bcreate\\s{1,3}secret\\b[^\\n]{0,300}?--from-literal(?:=|\\s{1,3})[\"']?[\\w.-]{1,60}=",
  ],
  ["chpasswd", "\\bchpasswd\\b[^\\n]{0,40}<<<\\s{0,3}[\"']?[\\w.-]{1,40}:"],
  ["<<<", "(?:--password-stdin|passwd --stdin|--with-token|secret set \\w{1,60})[^\\n]{0,80}<<<\\s{0,3}"],
  [
    "send\\s",
    "\\bsend\\s{1,3}(?:--\\s)?(?=[^\\n]{1,100}\\\\[rn])(?<=(?:assword|passphrase)[^\\n]{0,80}\\n?[^\\n]{0,40})",
  ],
  [
    "--(?:from|set|var|build|secret)",
    "--(?:from-literal|set|set-string|var|build-arg|secret)(?:[= ]|\\s{1,3})[\"']?[\\w.-]{0,60}(?:pass(?:word|wd)?|secret|token|key|pwd)[\\w.-]{0,20}=",
  ],
  ["\\s-[uU]\\s", "\\s-[uU]\\s{1,3}\\S{1,64}\\s{1,3}-[pP]\\s{1,3}"],
  [
    "--(?:auth|user|cred|basic|login|proxy)",
    "--(?:auth|user|userpass|creds?|credentials|basic(?:-auth)?|login|proxy-user)[= ]\\s{0,2}[\"']?[\\w.@-]{1,64}:",
  ],
];

/** How options begin, and the few words that are none. */
const takesOptions =
  /\s--?\w|\s\/[pu]|\s(?:config|set|use|user|login|unseal|add_user|obscure|password|authtoken|secrets?)\s/;

/** What is in every flag and statement. */
const telling =
  /passw|pass\b|passphrase|passcode|pw\b|pwd|secret|token|key|cred|auth|bearer|otp|psk|identified|requirepass|community|cryptsetup|securestring|_pat\b|sudo -S|\s-u\s|--user|login/i;
const anyProgram = new RegExp(`(?<![\\w/-])(?:${options.map(([program]) => program).join("|")})(?=\\s)`);

const isQuoted = (start: string) => /["']$/.test(start);

const flagRules: readonly SecretRule[] = [
  {
    kind: "credential",
    pattern: new RegExp(`(${flag}${quote})${word}`, "gi"),
    hint: /(?<![\w-])--?[a-z]/i,
    isSecret: (value, start) => isFlagValue(value, isQuoted(start)),
  },
];
const optionRules = options.map(
  ([program, option]): SecretRule => ({
    // A user's name comes before the password.
    kind: option.endsWith(":") ? "basic-credentials" : "credential",
    pattern: new RegExp(
      `((?<![\\w/-])(?:${program})(?=\\s)[^\\n|;]{0,300}?\\s${option}(?![\\s-])${quote})${word}`,
      "g",
    ),
    hint: new RegExp(`(?<![\\w/-])(?:${program})(?=\\s)`),
    isSecret: (value, start) => isOptionValue(value, isQuoted(start)),
  }),
);
const statementRules = statements.map(
  ([hint, statement]): SecretRule => ({
    kind: "credential",
    pattern: new RegExp(`(${statement}${quote})${word}`, "gim"),
    hint: new RegExp(hint, "im"),
    isSecret: (value, start) => isStatementValue(value, isQuoted(start)),
  }),
);

/** Secrets on command lines and in statements. */
export function redactCommands(text: string, mark: Mark): string {
  const isTelling = telling.test(text);
  let safe = isTelling ? applyRules(text, flagRules, mark) : text;
  if (takesOptions.test(safe) && anyProgram.test(safe)) safe = applyRules(safe, optionRules, mark);
  return isTelling ? applyRules(safe, statementRules, mark) : safe;
}

/** `--token X` in prose and usage lines: a word, another flag, or a gap to fill in. */
function isFlagValue(value: string, isQuoted: boolean): boolean {
  if (
    isNoValue(value) ||
    (/^(?:-|is|and|or|to|for|with|in|on|the|a|as|if|when|flag|option|argument|from|file|value|can|must|was|which|that|instead)$/i.test(
      value,
    ) &&
      isWords(value))
  )
    return false;
  return isQuoted || /\d/.test(value) || !/^[a-z]{1,12}[.,:)]?$/.test(value);
}

function isOptionValue(value: string, isQuoted: boolean): boolean {
  if (isNoValue(value)) return false;
  return isQuoted || value.length >= 3;
}

/** Statements are made of the words that prose is made of. */
function isStatementValue(value: string, isQuoted: boolean): boolean {
  return isOptionValue(value, isQuoted) && (isQuoted || /\d/.test(value) || !isWords(value));
}

function isNoValue(value: string): boolean {
  return value.length < 2 || isStandIn(value) || /^[$<{[(|&-]/.test(value);
}
