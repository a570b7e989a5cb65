import { alnum, base64, digits, hex, lower, type Random, upper, urlSafe } from "./random.js";

/** A text with a secret in it. */
export interface Sample {
  format: string;
  text: string;
  secret: string;
}

type Make = (random: Random) => string;
/** Puts a secret into its surroundings. */
type Place = (secret: string, random: Random) => string;

const uuid: Make = (r) => [8, 4, 4, 4, 12].map((length) => r.text(hex, length)).join("-");
const letter: Make = (r) => r.text(lower + upper, 1);

/** A password as people make them, with a digit or a symbol somewhere. */
export const password: Make = (r) =>
  r.of<Make>([
    (q) => `${letter(q)}${q.text(alnum, 6, 12)}${q.text(digits, 1)}`,
    (q) => `${letter(q)}${q.text(alnum, 5, 8)}${q.of(["!", "#", "%", "_", "-"])}${q.text(digits, 2)}`,
    (q) => `${q.text(lower, 4, 6)}-${q.text(lower, 4, 6)}-${q.text(digits, 2, 3)}`,
    (q) => `${q.text(upper, 1)}${q.text(lower, 4, 7)}${q.text(digits, 2, 4)}${q.of(["!", "?", "*", "$"])}`,
  ])(r);
/** Letters and digits only, for places where symbols mean something. */
const simplePassword: Make = (r) => `${letter(r)}${r.text(alnum, 7, 12)}${r.text(digits, 1)}`;
const token: Make = (r) => `${letter(r)}${r.text(alnum, 30, 44)}${r.text(digits, 1)}`;
const base64Key: Make = (r) => `${r.text(base64, 43)}=`;

const tokens: Record<string, Make> = {
  "openai project": (r) => `sk-proj-${r.text(urlSafe, 74)}T3BlbkFJ${r.text(urlSafe, 74)}`,
  "openai legacy": (r) => `sk-${r.text(alnum, 20)}T3BlbkFJ${r.text(alnum, 20)}`,
  anthropic: (r) => `sk-ant-api03-${r.text(urlSafe, 93)}AA`,
  openrouter: (r) => `sk-or-v1-${r.text(hex, 64)}`,
  deepseek: (r) => `sk-${r.text(hex, 32)}`,
  groq: (r) => `gsk_${r.text(alnum, 52)}`,
  xai: (r) => `xai-${r.text(alnum, 80)}`,
  replicate: (r) => `r8_${r.text(alnum, 37)}`,
  perplexity: (r) => `pplx-${r.text(alnum, 48)}`,
  huggingface: (r) => `hf_${r.text(lower + upper, 34)}`,
  nvidia: (r) => `nvapi-${r.text(urlSafe, 64)}`,
  "langsmith key": (r) => `lsv2_pt_${r.text(hex, 32)}_${r.text(hex, 10)}`,
  tavily: (r) => `tvly-${r.text(alnum, 32)}`,
  pinecone: (r) => `pcsk_${r.text(alnum, 6)}_${r.text(alnum, 60)}`,
  "aws access key": (r) => `AKIA${r.text(`${upper}234567`, 16)}`,
  "aws session key": (r) => `ASIA${r.text(`${upper}234567`, 16)}`,
  "google api key": (r) => `AIza${r.text(urlSafe, 35)}`,
  "google client secret": (r) => `GOCSPX-${r.text(urlSafe, 28)}`,
  "google access token": (r) => `ya29.${r.text(urlSafe, 60, 120)}`,
  "google refresh token": (r) => `1//0${r.text(urlSafe, 50)}`,
  "entra client secret": (r) => `${r.text(alnum, 3)}8Q~${r.text(`${alnum}_~.-`, 33)}${r.text(alnum, 1)}`,
  "github personal": (r) => `ghp_${r.text(alnum, 36)}`,
  "github fine-grained": (r) => `github_pat_${r.text(alnum, 22)}_${r.text(alnum, 59)}`,
  "github app": (r) => `ghs_${r.text(alnum, 36)}`,
  "gitlab personal": (r) => `glpat-${r.text(urlSafe, 20)}`,
  "gitlab runner": (r) => `glrt-${r.text(urlSafe, 20)}`,
  "gitlab registration": (r) => `GR1348941${r.text(urlSafe, 20)}`,
  "gitlab deploy": (r) => `gldt-${r.text(urlSafe, 20)}`,
  "gitlab agent": (r) => `glagent-${r.text(urlSafe, 50)}`,
  "slack bot": (r) => `xoxb-${r.text(digits, 12)}-${r.text(digits, 12)}-${r.text(alnum, 24)}`,
  "slack user": (r) =>
    `xoxp-${r.text(digits, 12)}-${r.text(digits, 12)}-${r.text(digits, 12)}-${r.text(hex, 32)}`,
  "slack browser": (r) =>
    `xoxc-${r.text(digits, 12)}-${r.text(digits, 12)}-${r.text(digits, 12)}-${r.text(hex, 64)}`,
  "slack cookie": (r) => `xoxd-${r.text(alnum, 60)}%2F${r.text(alnum, 60)}%3D`,
  "slack app": (r) => `xapp-1-A${r.text(upper + digits, 10)}-${r.text(digits, 13)}-${r.text(hex, 64)}`,
  "stripe secret": (r) => `sk_live_${r.text(alnum, 24, 99)}`,
  "stripe restricted": (r) => `rk_test_${r.text(alnum, 24)}`,
  "stripe webhook": (r) => `whsec_${r.text(alnum, 32)}`,
  square: (r) => `sq0atp-${r.text(urlSafe, 22)}`,
  "shopify access": (r) => `shpat_${r.text(hex, 32)}`,
  npm: (r) => `npm_${r.text(alnum, 36)}`,
  pypi: (r) => `pypi-AgEIcHlwaS5vcmc${r.text(urlSafe, 140)}`,
  rubygems: (r) => `rubygems_${r.text(hex, 48)}`,
  clojars: (r) => `CLOJARS_${r.text(lower + digits, 60)}`,
  nuget: (r) => `oy2${r.text(lower + digits, 43)}`,
  artifactory: (r) => `AKCp${r.text(alnum, 69)}`,
  "docker hub": (r) => `dckr_pat_${r.text(urlSafe, 27)}`,
  "discord bot": (r) => `M${r.text(alnum, 25)}.${r.text(urlSafe, 6)}.${r.text(urlSafe, 38)}`,
  telegram: (r) => `${r.text("123456789", 1)}${r.text(digits, 9)}:AA${r.text(urlSafe, 33)}`,
  sendgrid: (r) => `SG.${r.text(urlSafe, 22)}.${r.text(urlSafe, 43)}`,
  mailgun: (r) => `key-${r.text(hex, 32)}`,
  mailchimp: (r) => `${r.text(hex, 32)}-us${r.text("123", 1)}${r.text(digits, 1)}`,
  brevo: (r) => `xkeysib-${r.text(hex, 64)}-${r.text(alnum, 16)}`,
  resend: (r) => `re_${r.text(alnum, 8)}_${r.text(alnum, 24)}`,
  twilio: (r) => `SK${r.text(digits, 1)}${r.text(hex, 31)}`,
  "sentry user": (r) => `sntryu_${r.text(hex, 64)}`,
  "sentry organisation": (r) => `sntrys_eyJpYXQiO${r.text(base64, 120)}_${r.text(base64, 43)}`,
  "grafana service account": (r) => `glsa_${r.text(alnum, 32)}_${r.text(hex, 8)}`,
  "grafana cloud": (r) => `glc_${r.text(base64, 120)}=`,
  "new relic": (r) => `NRAK-${r.text(upper + digits, 27)}`,
  dynatrace: (r) => `dt0c01.${r.text(upper + digits, 24)}.${r.text(upper + digits, 64)}`,
  posthog: (r) => `phx_${r.text(alnum, 43)}`,
  postman: (r) => `PMAK-${r.text(hex, 24)}-${r.text(hex, 34)}`,
  terraform: (r) => `${r.text(alnum, 14)}.atlasv1.${r.text(urlSafe, 67)}`,
  pulumi: (r) => `pul-${r.text(hex, 40)}`,
  vault: (r) => `hvs.${r.text(urlSafe, 95)}`,
  "vault legacy": (r) => `s.${r.text(upper, 2)}${r.text(digits, 2)}${r.text(alnum, 20)}`,
  doppler: (r) => `dp.pt.${r.text(alnum, 43)}`,
  "1password service": (r) => `ops_eyJ${r.text(base64, 260)}`,
  "1password key": (r) =>
    `A3-${r.text(upper + digits, 6)}-${r.text(upper + digits, 6)}-${[5, 5, 5, 5].map((n) => r.text(upper + digits, n)).join("-")}`,
  atlassian: (r) => `ATATT3xFfGF0${r.text(urlSafe, 180)}=${r.text(upper + digits, 8)}`,
  bitbucket: (r) => `ATBB${r.text(alnum, 32)}`,
  notion: (r) => `ntn_${r.text(digits, 11)}${r.text(alnum, 35)}`,
  "notion legacy": (r) => `secret_${r.text(alnum, 43)}`,
  linear: (r) => `lin_api_${r.text(alnum, 40)}`,
  figma: (r) => `figd_${r.text(urlSafe, 40)}`,
  airtable: (r) => `pat${r.text(alnum, 14)}.${r.text(hex, 64)}`,
  netlify: (r) => `nfp_${r.text(alnum, 36)}`,
  vercel: (r) => `vcp_${r.text(alnum, 56)}`,
  heroku: (r) => `HRKU-AA${r.text(urlSafe, 58)}`,
  "fly.io": (r) => `fo1_${r.text(urlSafe, 43)}`,
  render: (r) => `rnd_${r.text(alnum, 32)}`,
  supabase: (r) => `sbp_${r.text(hex, 40)}`,
  planetscale: (r) => `pscale_tkn_${r.text(urlSafe, 43)}`,
  databricks: (r) => `dapi${r.text(hex, 32)}`,
  digitalocean: (r) => `dop_v1_${r.text(hex, 64)}`,
  tailscale: (r) => `tskey-auth-${r.text(alnum, 12)}CNTRL-${r.text(alnum, 32)}`,
  alibaba: (r) => `LTAI${r.text(alnum, 20)}`,
  tencent: (r) => `AKID${r.text(alnum, 32)}`,
  openshift: (r) => `sha256~${r.text(urlSafe, 43)}`,
  octopus: (r) => `API-${r.text(upper + digits, 26)}`,
  sonar: (r) => `squ_${r.text(hex, 40)}`,
  sourcegraph: (r) => `sgp_${r.text(hex, 16)}_${r.text(hex, 40)}`,
  prefect: (r) => `pnu_${r.text(alnum, 36)}`,
  readme: (r) => `rdme_${r.text(lower + digits, 70)}`,
  easypost: (r) => `EZAK${r.text(alnum, 54)}`,
  shippo: (r) => `shippo_live_${r.text(hex, 40)}`,
  facebook: (r) => `EAAC${r.text(alnum, 120)}`,
  hubspot: (r) => `pat-na1-${uuid(r)}`,
  harness: (r) => `pat.${r.text(urlSafe, 22)}.${r.text(alnum, 24)}.${r.text(alnum, 20)}`,
  contentful: (r) => `CFPAT-${r.text(urlSafe, 43)}`,
  jwt: (r) => `eyJ${r.text(urlSafe, 33)}.eyJ${r.text(urlSafe, 60)}.${r.text(urlSafe, 43)}`,
  age: (r) => `AGE-SECRET-KEY-1${r.text("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)}`,
};

const inText: Place[] = [
  (s) => s,
  (s) => `Use ${s} for the staging account`,
  (s) => `the deploy failed until I exported X=${s}`,
  (s) => `{"value": "${s}"}`,
  (s) => `see \`${s}\`, it works`,
  (s) => `(${s})`,
  (s) => `-> ${s}\n`,
];

/** What names its value a secret. */
const named: Record<string, [make: Make, place: Place]> = {
  "env line": [password, (s) => `DB_PASSWORD=${s}`],
  "env line, short": [(r) => `${r.text(lower, 4)}${r.text(digits, 1)}`, (s) => `DB_PASSWORD=${s}\n`],
  "env line, letters": [(r) => r.text(lower, 8, 10), (s) => `MYSQL_ROOT_PASSWORD=${s}\n`],
  "env export": [token, (s) => `export API_TOKEN=${s}`],
  "env quoted": [password, (s) => `SMTP_PASS="${s}"`],
  "env single-quoted": [password, (s) => `REDIS_PASSWORD='${s}'`],
  "env pgpassword": [simplePassword, (s) => `PGPASSWORD=${s} psql -h db`],
  "env mysql_pwd": [simplePassword, (s) => `MYSQL_PWD=${s} mysql -u root`],
  "env secret key": [(r) => r.text(base64, 40), (s) => `AWS_SECRET_ACCESS_KEY=${s}`],
  "env key of a service": [(r) => r.text(hex, 32), (s) => `DATADOG_API_KEY=${s}`],
  "env uuid": [uuid, (s) => `HEROKU_API_KEY=${s}`],
  "powershell env": [password, (s) => `$env:DB_PASSWORD = "${s}"`],
  "fish env": [password, (s) => `set -x DB_PASSWORD ${s}`],
  "csh env": [password, (s) => `setenv DB_PASSWORD ${s}`],
  "windows env": [simplePassword, (s) => `setx API_TOKEN ${s}`],
  "dockerfile env": [simplePassword, (s) => `ENV DB_PASSWORD ${s}`],
  yaml: [password, (s) => `database:\n  password: ${s}\n`],
  "yaml quoted": [password, (s) => `  password: "${s}"`],
  "yaml pass": [password, (s) => `smtp:\n  pass: ${s}\n`],
  "yaml pwd": [password, (s) => `pwd: ${s}`],
  "yaml block": [token, (s) => `token: |\n  ${s}\n`],
  "yaml name and value": [password, (s) => `- name: DB_PASSWORD\n  value: ${s}\n`],
  "yaml client secret": [token, (s) => `client_secret: ${s}`],
  json: [password, (s) => `{"password": "${s}", "user": "app"}`],
  "json api key": [token, (s) => `{"apiKey":"${s}"}`],
  "json escaped": [simplePassword, (s) => `"{\\"password\\":\\"${s}\\"}"`],
  "json escaped twice": [simplePassword, (s) => `{\\\\\\"secret\\\\\\":\\\\\\"${s}\\\\\\"}`],
  "json name and value": [simplePassword, (s) => `{"name":"DB_PASSWORD","value":"${s}"}`],
  ruby: [password, (s) => `:password => '${s}'`],
  "ruby symbol": [password, (s) => `password: '${s}',`],
  php: [simplePassword, (s) => `'password' => '${s}',`],
  "php define": [password, (s) => `define('DB_PASSWORD', '${s}');`],
  go: [password, (s) => `password := "${s}"`],
  python: [password, (s) => `password = "${s}"`],
  "python keyword": [password, (s) => `connect(user="app", password="${s}")`],
  "python environ": [token, (s) => `os.environ["API_TOKEN"] = "${s}"`],
  javascript: [token, (s) => `const apiKey = '${s}';`],
  java: [password, (s) => `private static final String DB_PASSWORD = "${s}";`],
  csharp: [password, (s) => `string Password = "${s}";`],
  makefile: [simplePassword, (s) => `DB_PASS ?= ${s}`],
  properties: [password, (s) => `spring.datasource.password=${s}`],
  ini: [password, (s) => `[db]\npassword = ${s}\n`],
  toml: [password, (s) => `secret_key = "${s}"`],
  hcl: [password, (s) => `  master_password = "${s}"`],
  xml: [simplePassword, (s) => `<password>${s}</password>`],
  "xml attribute": [simplePassword, (s) => `<dataSource user="sa" password="${s}"/>`],
  "xml add": [simplePassword, (s) => `<add key="Password" value="${s}" />`],
  "xml property": [simplePassword, (s) => `<property name="db.password" value="${s}"/>`],
  plist: [simplePassword, (s) => `<key>password</key>\n<string>${s}</string>`],
  "maven settings": [
    simplePassword,
    (s) => `<server><id>x</id><username>u</username><password>${s}</password></server>`,
  ],
  npmrc: [uuid, (s) => `//registry.npmjs.org/:_authToken=${s}`],
  "npmrc auth": [(r) => Buffer.from(`app:${simplePassword(r)}`).toString("base64"), (s) => `_auth=${s}`],
  pgpass: [simplePassword, (s) => `db.internal:5432:app:admin:${s}`],
  netrc: [simplePassword, (s) => `machine api.internal login app password ${s}`],
  "netrc in lines": [simplePassword, (s) => `machine api.internal\n  login app\n  password ${s}\n`],
  "docker auth": [
    (r) => Buffer.from(`app:${simplePassword(r)}`).toString("base64"),
    (s) => `{"auths":{"r.internal":{"auth":"${s}"}}}`,
  ],
  "kubeconfig key": [
    (r) => `LS0tLS1CRUdJTiBSU0Eg${r.text(base64, 200)}==`,
    (s) => `    client-key-data: ${s}`,
  ],
  "kubeconfig token": [token, (s) => `    token: ${s}`],
  "kubernetes secret": [
    (r) => Buffer.from(simplePassword(r)).toString("base64"),
    (s) => `kind: Secret\ndata:\n  password: ${s}\n`,
  ],
  wireguard: [base64Key, (s) => `PrivateKey = ${s}`],
  "wireguard preshared": [base64Key, (s) => `PresharedKey = ${s}`],
  wpa: [simplePassword, (s) => `  psk="${s}"`],
  redis: [simplePassword, (s) => `requirepass ${s}\n`],
  ansible: [simplePassword, (s) => `ansible_ssh_pass=${s}`],
  "ansible become": [simplePassword, (s) => `ansible_become_password: ${s}`],
  rails: [(r) => r.text(hex, 128), (s) => `secret_key_base: ${s}`],
  django: [
    (r) => `django-insecure-${r.text(`${lower}${digits}!@%^&*(-_=+)`, 49)}a`,
    (s) => `SECRET_KEY = '${s}'`,
  ],
  laravel: [(r) => `base64:${base64Key(r)}`, (s) => `APP_KEY=${s}`],
  "azure account key": [
    (r) => `${r.text(base64, 86)}==`,
    (s) => `DefaultEndpointsProtocol=https;AccountName=x;AccountKey=${s};EndpointSuffix=core.windows.net`,
  ],
  "service bus": [
    base64Key,
    (s) => `Endpoint=sb://x.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=${s}`,
  ],
  "sql server": [simplePassword, (s) => `Server=db;Database=app;User Id=sa;Password=${s};Encrypt=true`],
  odbc: [simplePassword, (s) => `Driver={SQL};Server=db;Uid=sa;Pwd=${s};`],
  libpq: [simplePassword, (s) => `host=db user=app password=${s} dbname=app`],
  "markdown bold": [simplePassword, (s) => `- **Password:** ${s}`],
  "markdown code": [simplePassword, (s) => `Password: \`${s}\``],
  "markdown table": [simplePassword, (s) => `| password | ${s} |`],
  passphrase: [password, (s) => `passphrase: ${s}`],
  "two words": [token, (s) => `API key: ${s}`],
  setter: [simplePassword, (s) => `builder.setPassword("${s}")`],
  "builder call": [simplePassword, (s) => `client\n  .password("${s}")`],
  "typed constant": [simplePassword, (s) => `const SECRET: &str = "${s}";`],
  preprocessor: [simplePassword, (s) => `#define DB_PASSWORD "${s}"`],
  "pair in a call": [simplePassword, (s) => `requests.get(url, auth=("app", "${s}"))`],
  "signing key": [(r) => r.text(hex, 64), (s) => `signing_key: "${s}"`],
  "webhook secret": [(r) => r.text(hex, 40), (s) => `WEBHOOK_SECRET=${s}`],
  "twitter secret": [(r) => r.text(alnum, 50), (s) => `twitter_api_secret = "${s}"`],
  "okta token": [(r) => `00${r.text(urlSafe, 40)}`, (s) => `okta_token: ${s}`],
  "cloudflare key": [(r) => r.text(hex, 37), (s) => `cloudflare_api_key: ${s}`],
};

const commands: Record<string, [make: Make, place: Place]> = {
  "--password": [password, (s) => `deploy --user app --password ${s} --force`],
  "--password=": [password, (s) => `deploy --password=${s}`],
  "--password quoted": [password, (s) => `deploy --password '${s}'`],
  "--token": [token, (s) => `tool login --token ${s}`],
  "--token=": [token, (s) => `tool login --token=${s}`],
  "--api-key": [token, (s) => `tool --api-key ${s} list`],
  "--secret": [token, (s) => `tool --client-secret ${s}`],
  "--pass": [simplePassword, (s) => `mongo --username app --pass ${s}`],
  "--access-token": [token, (s) => `curl-ish --access-token "${s}"`],
  "--passphrase": [simplePassword, (s) => `gpg --batch --passphrase ${s} -d f.gpg`],
  "--auth-key": [token, (s) => `tailscale up --authkey ${s}`],
  mysql: [simplePassword, (s) => `mysql -u root -p${s} app`],
  mysqldump: [simplePassword, (s) => `mysqldump -h db -uroot -p${s} app > f.sql`],
  sshpass: [password, (s) => `sshpass -p '${s}' ssh root@host`],
  "sshpass glued": [simplePassword, (s) => `sshpass -p${s} ssh root@host`],
  "redis-cli": [simplePassword, (s) => `redis-cli -h db -a ${s} ping`],
  "curl -u": [simplePassword, (s) => `curl -s -u admin:${s} https://x.internal/api`],
  "curl --user": [simplePassword, (s) => `curl --user "admin:${s}" https://x.internal`],
  httpie: [simplePassword, (s) => `http -a admin:${s} GET https://x.internal`],
  wget: [simplePassword, (s) => `wget --http-password=${s} https://x.internal`],
  "docker login": [simplePassword, (s) => `docker login -u app -p ${s} r.internal`],
  "docker login stdin": [simplePassword, (s) => `echo ${s} | docker login -u app --password-stdin`],
  "docker run -e": [simplePassword, (s) => `docker run -e POSTGRES_PASSWORD=${s} postgres`],
  mongo: [simplePassword, (s) => `mongosh -u app -p ${s} --authenticationDatabase admin`],
  ldapsearch: [simplePassword, (s) => `ldapsearch -x -D cn=admin -w ${s} -b dc=x`],
  smbclient: [simplePassword, (s) => `smbclient //host/share -U app%${s}`],
  openssl: [simplePassword, (s) => `openssl enc -d -aes256 -pass pass:${s} -in f`],
  "openssl passin": [simplePassword, (s) => `openssl rsa -in k.pem -passin pass:${s}`],
  keytool: [simplePassword, (s) => `keytool -list -keystore k.jks -storepass ${s}`],
  zip: [simplePassword, (s) => `zip -P ${s} a.zip f`],
  "7z": [simplePassword, (s) => `7z x -p${s} a.7z`],
  sqlcmd: [simplePassword, (s) => `sqlcmd -S db -U sa -P ${s} -Q "select 1"`],
  htpasswd: [simplePassword, (s) => `htpasswd -b .htpasswd app ${s}`],
  chpasswd: [simplePassword, (s) => `echo "app:${s}" | chpasswd`],
  "az login": [simplePassword, (s) => `az login --service-principal -u id -p ${s} --tenant t`],
  "aws configure": [(r) => r.text(base64, 40), (s) => `aws configure set aws_secret_access_key ${s}`],
  "npm config": [uuid, (s) => `npm config set //registry.npmjs.org/:_authToken ${s}`],
  ngrok: [(r) => `${r.text(alnum, 27)}_${r.text(alnum, 20)}`, (s) => `ngrok config add-authtoken ${s}`],
  "vault login": [token, (s) => `vault login ${s}`],
  kubectl: [simplePassword, (s) => `kubectl create secret generic db --from-literal=password=${s}`],
  helm: [simplePassword, (s) => `helm install x . --set auth.password=${s}`],
  terraform: [simplePassword, (s) => `terraform apply -var 'db_password=${s}'`],
  "terraform default": [
    simplePassword,
    (s) => `variable "db_password" {\n  type    = string\n  default = "${s}"\n}`,
  ],
  "kubectl neutral name": [
    simplePassword,
    (s) => `kubectl create secret generic x --from-literal=value=${s}`,
  ],
  "kubernetes data": [
    (r) => r.text(base64, 32),
    (s) => `apiVersion: v1\nkind: Secret\nmetadata:\n  name: app\ndata:\n  foo.conf: ${s}\n  other: eA==\n`,
  ],
  "kubernetes string data": [
    simplePassword,
    (s) => `kind: Secret\nstringData:\n  value: "${s}"\ntype: Opaque`,
  ],
  "insert into": [simplePassword, (s) => `INSERT INTO users (name, password) VALUES ('bob', '${s}');`],
  "insert rows": [
    simplePassword,
    (s) => `insert into app.users (id, api_key, note) values (1, '${s}', 'a'), (2, '${s}', 'b')`,
  ],
  "secure string": [simplePassword, (s) => `ConvertTo-SecureString "${s}" -AsPlainText -Force`],
  "windows pat": [(r) => r.text(alnum, 24), (s) => `setx GITHUB_PAT "${s}"`],
  "dockerfile key": [(r) => r.text(alnum, 24), (s) => `ENV SECRET_KEY ${s}`],
  "gh secret": [token, (s) => `gh secret set API_TOKEN --body ${s}`],
  rabbitmqctl: [simplePassword, (s) => `rabbitmqctl add_user app ${s}`],
  "identified by": [password, (s) => `CREATE USER 'app'@'%' IDENTIFIED BY '${s}';`],
  "alter role": [password, (s) => `ALTER ROLE app WITH PASSWORD '${s}';`],
  "create login": [simplePassword, (s) => `CREATE LOGIN app WITH PASSWORD = N'${s}';`],
  "set password": [simplePassword, (s) => `SET PASSWORD FOR 'app'@'%' = PASSWORD('${s}');`],
  twine: [simplePassword, (s) => `twine upload -u app -p ${s} dist/*`],
  lftp: [simplePassword, (s) => `lftp -u app,${s} ftp.internal`],
  xfreerdp: [simplePassword, (s) => `xfreerdp /v:host /u:app /p:${s}`],
  sqlplus: [simplePassword, (s) => `sqlplus app/${s}@db`],
  "-u and -p": [simplePassword, (s) => `tool login -u app -p ${s}`],
  "--auth": [simplePassword, (s) => `tool --auth app:${s} list`],
  "curl -u glued": [simplePassword, (s) => `curl -uapp:${s} https://x.internal`],
  "vault kv": [simplePassword, (s) => `vault kv put secret/db password=${s}`],
  nmcli: [simplePassword, (s) => `nmcli device wifi connect Net password ${s}`],
};

const addresses: Record<string, [make: Make, place: Place]> = {
  postgres: [password, (s) => `postgres://app:${s.replace(/[#?%]/g, "_")}@db.internal:5432/app`],
  mysql: [simplePassword, (s) => `mysql://root:${s}@127.0.0.1/app`],
  mongodb: [simplePassword, (s) => `mongodb+srv://app:${s}@cluster0.x.mongodb.net/?retryWrites=true`],
  redis: [simplePassword, (s) => `redis://:${s}@cache:6379/0`],
  amqp: [simplePassword, (s) => `amqps://app:${s}@mq.internal/vhost`],
  smtp: [simplePassword, (s) => `smtp://app%40x.io:${s}@mail.internal:587`],
  https: [simplePassword, (s) => `git clone https://app:${s}@git.internal/o/r.git`],
  "https token": [(r) => r.text(hex, 40), (s) => `https://${s}@git.internal/o/r.git`],
  "https x-access-token": [token, (s) => `https://x-access-token:${s}@github.com/o/r`],
  sqlalchemy: [simplePassword, (s) => `mssql+pyodbc://sa:${s}@db/app?driver=x`],
  jdbc: [simplePassword, (s) => `jdbc:postgresql://db/app?user=app&password=${s}`],
  "jdbc oracle": [simplePassword, (s) => `jdbc:oracle:thin:app/${s}@db:1521:x`],
  "go mysql": [simplePassword, (s) => `app:${s}@tcp(127.0.0.1:3306)/app?parseTime=true`],
  neo4j: [simplePassword, (s) => `neo4j+s://neo4j:${s}@x.internal`],
  ftp: [simplePassword, (s) => `ftp://app:${s}@files.internal/x`],
  "slash in password": [
    (r) => `${r.text(alnum, 5)}/${r.text(alnum, 6)}`,
    (s) => `postgres://app:${s}@db.internal/app`,
  ],
  "at in password": [
    (r) => `${r.text(alnum, 5)}@${r.text(alnum, 6)}`,
    (s) => `postgres://app:${s}@db.internal/app`,
  ],
  "?token=": [token, (s) => `https://x.internal/hook?id=3&token=${s}`],
  "?access_token=": [token, (s) => `https://x.internal/me?access_token=${s}&x=1`],
  "?api_key=": [(r) => r.text(hex, 32), (s) => `https://x.internal/v1?api_key=${s}`],
  "s3 presigned": [
    (r) => r.text(hex, 64),
    (s) => `https://b.s3.amazonaws.com/k?X-Amz-Expires=900&X-Amz-Signature=${s}`,
  ],
  "gcs presigned": [
    (r) => r.text(hex, 128),
    (s) => `https://storage.googleapis.com/b/k?X-Goog-Expires=900&X-Goog-Signature=${s}`,
  ],
  "s3 presigned v2": [
    (r) => `${r.text(alnum, 27)}%3D`,
    (s) => `https://b.s3.amazonaws.com/k?Expires=1700000000&Signature=${s}`,
  ],
  "azure sas": [
    (r) => `${r.text(alnum, 20)}%2F${r.text(alnum, 20)}%3D`,
    (s) => `https://x.blob.core.windows.net/c/f?sv=2022-11-02&se=2026-01-01&sp=r&sig=${s}`,
  ],
  "slack webhook": [
    (r) => `T${r.text(upper + digits, 8)}/B${r.text(upper + digits, 8)}/${r.text(alnum, 24)}`,
    (s) => `https://hooks.slack.com/services/${s}`,
  ],
  "discord webhook": [
    (r) => r.text(urlSafe, 68),
    (s, r) => `https://discord.com/api/webhooks/${r.text("123456789", 18)}/${s}`,
  ],
  "teams webhook": [
    (r) => `${uuid(r)}@${uuid(r)}/IncomingWebhook/${r.text(hex, 32)}/${uuid(r)}`,
    (s) => `https://x.webhook.office.com/webhookb2/${s}`,
  ],
  "telegram url": [
    (r) => `${r.text("123456789", 9)}:AA${r.text(urlSafe, 33)}`,
    (s) => `https://api.telegram.org/bot${s}/getMe`,
  ],
  zapier: [
    (r) => `${r.text("123456789", 7)}/${r.text(lower + digits, 7)}`,
    (s) => `https://hooks.zapier.com/hooks/catch/${s}/`,
  ],
  "google chat": [
    (r) => r.text(urlSafe, 43),
    (s) => `https://chat.googleapis.com/v1/spaces/A/messages?key=x&token=${s}`,
  ],
};

const headers: Record<string, [make: Make, place: Place]> = {
  bearer: [token, (s) => `Authorization: Bearer ${s}`],
  "bearer in curl": [token, (s) => `curl -H "Authorization: Bearer ${s}" https://x.internal`],
  "authorization token": [(r) => r.text(hex, 40), (s) => `Authorization: token ${s}`],
  "authorization bare": [token, (s) => `authorization: ${s}`],
  basic: [
    (r) => Buffer.from(`app:${simplePassword(r)}`).toString("base64"),
    (s) => `Authorization: Basic ${s}`,
  ],
  "proxy basic": [
    (r) => Buffer.from(`app:${simplePassword(r)}`).toString("base64"),
    (s) => `Proxy-Authorization: Basic ${s}`,
  ],
  "x-api-key": [token, (s) => `X-Api-Key: ${s}`],
  "x-api-key in curl": [token, (s) => `curl -H 'x-api-key: ${s}' https://x.internal`],
  "x-auth-token": [(r) => r.text(hex, 32), (s) => `X-Auth-Token: ${s}`],
  "private-token": [(r) => r.text(urlSafe, 20), (s) => `PRIVATE-TOKEN: ${s}`],
  "x-vault-token": [token, (s) => `X-Vault-Token: ${s}`],
  cookie: [
    (r) => `s%3A${r.text(urlSafe, 32)}.${r.text(alnum, 43)}`,
    (s) => `Cookie: lang=en; connect.sid=${s}; theme=dark`,
  ],
  "set-cookie": [(r) => r.text(hex, 32), (s) => `Set-Cookie: session=${s}; Path=/; HttpOnly`],
  "php cookie": [
    (r) => `${r.text(lower, 3)}${r.text(lower + digits, 23)}`,
    (s) => `curl -b "PHPSESSID=${s}" https://x.internal`,
  ],
  sigv4: [
    (r) => r.text(hex, 64),
    (s) =>
      `Authorization: AWS4-HMAC-SHA256 Credential=x/20250101/eu/s3/aws4_request, SignedHeaders=host, Signature=${s}`,
  ],
  "headers object": [token, (s) => `headers: { "Authorization": "Bearer ${s}" }`],
  axios: [token, (s) => `headers: { 'X-API-KEY': '${s}' }`],
};

const pemBody: Make = (r) => Array.from({ length: 12 }, () => r.text(base64, 64)).join("\n");
const keys: Record<string, [make: Make, place: Place]> = {
  rsa: [pemBody, (s) => `-----BEGIN RSA PRIVATE KEY-----\n${s}\n-----END RSA PRIVATE KEY-----`],
  pkcs8: [pemBody, (s) => `-----BEGIN PRIVATE KEY-----\n${s}\n-----END PRIVATE KEY-----`],
  encrypted: [
    pemBody,
    (s) => `-----BEGIN ENCRYPTED PRIVATE KEY-----\n${s}\n-----END ENCRYPTED PRIVATE KEY-----`,
  ],
  openssh: [pemBody, (s) => `-----BEGIN OPENSSH PRIVATE KEY-----\n${s}\n-----END OPENSSH PRIVATE KEY-----`],
  pgp: [pemBody, (s) => `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${s}\n-----END PGP PRIVATE KEY BLOCK-----`],
  ssh2: [
    pemBody,
    (s) => `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n${s}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`,
  ],
  putty: [
    pemBody,
    (s, r) =>
      `PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 12\n${s}\nPrivate-MAC: ${r.text(hex, 64)}`,
  ],
  "pem in json": [
    (r) => pemBody(r).replaceAll("\n", "\\n"),
    (s) => `{"private_key": "-----BEGIN PRIVATE KEY-----\\n${s}\\n-----END PRIVATE KEY-----\\n"}`,
  ],
  "cut off at the start": [pemBody, (s) => `${s}\n-----END RSA PRIVATE KEY-----`],
  "cut off at the end": [pemBody, (s) => `-----BEGIN RSA PRIVATE KEY-----\n${s}`],
  jwk: [
    (r) => r.text(urlSafe, 43),
    (s, r) =>
      `{"kty":"EC","crv":"P-256","x":"${r.text(urlSafe, 43)}","y":"${r.text(urlSafe, 43)}","d":"${s}"}`,
  ],
  "jwk symmetric": [(r) => r.text(urlSafe, 43), (s) => `{"kty":"oct","k":"${s}","alg":"HS256"}`],
  "rsa xml": [
    (r) => r.text(base64, 172),
    (s) => `<RSAKeyValue><Modulus>AQAB</Modulus><D>${s}</D></RSAKeyValue>`,
  ],
  ethereum: [(r) => `0x${r.text(hex, 64)}`, (s) => `PRIVATE_KEY=${s}`],
};

const toBase64 = (text: string) => Buffer.from(text).toString("base64");
const encoded: Record<string, [make: Make, place: Place]> = {
  "base64 of a token": [(r) => toBase64(`ghp_${r.text(alnum, 36)}`), (s) => `decoded from ${s}`],
  "base64 of an env line": [(r) => toBase64(`DB_PASSWORD=${simplePassword(r)}`), (s) => `config: ${s}`],
  "base64 of json": [
    (r) => toBase64(JSON.stringify({ user: "app", password: simplePassword(r) })),
    (s) => `payload ${s} sent`,
  ],
  "base64 of a url": [(r) => toBase64(`postgres://app:${simplePassword(r)}@db/app`), (s) => s],
  "base64 url-safe": [(r) => Buffer.from(`token=${token(r)}`).toString("base64url"), (s) => `x ${s} y`],
  "base64 twice": [(r) => toBase64(toBase64(`AKIA${r.text(`${upper}234567`, 16)} secret`)), (s) => s],
  "base64 of a pem": [
    (r) => toBase64(`-----BEGIN PRIVATE KEY-----\n${pemBody(r)}\n-----END PRIVATE KEY-----\n`),
    (s) => `cert ${s}`,
  ],
  "hex of a token": [(r) => Buffer.from(`ghp_${r.text(alnum, 36)}`).toString("hex"), (s) => `bytes ${s}`],
  "url-encoded password": [(r) => encodeURIComponent(`password=${simplePassword(r)}!`), (s) => `body ${s}`],
  "url-encoded url": [
    (r) => encodeURIComponent(`https://app:${simplePassword(r)}@git.internal/o`),
    (s) => `next=${s}`,
  ],
};

const sentences: Record<string, [make: Make, place: Place]> = {
  "password is": [simplePassword, (s) => `The password is ${s}.`],
  "password for": [simplePassword, (s) => `The password for the staging database is ${s}`],
  "password was changed to": [simplePassword, (s) => `Root password was changed to ${s} yesterday.`],
  "password in code": [password, (s) => `the admin password is \`${s}\``],
  "api key is": [token, (s) => `Our API key is ${s}, rotate it`],
  "use token": [token, (s) => `Use the token ${s} for uploads`],
  "log in as": [simplePassword, (s) => `Log in as admin/${s} to see it`],
  credentials: [simplePassword, (s) => `credentials: admin / ${s}`],
  "as the password": [simplePassword, (s) => `use ${s} as the password`],
  "with password": [simplePassword, (s) => `ssh to the box with password ${s}`],
  pin: [(r) => r.text(digits, 6), (s) => `PIN: ${s}`],
};

const groups: Record<string, Record<string, [make: Make, place: Place]>> = {
  named,
  commands,
  addresses,
  headers,
  keys,
  encoded,
  sentences,
};

export const secretFormats: { format: string; make(random: Random): Sample }[] = [
  ...Object.entries(tokens).map(([name, make]) => ({
    format: `token: ${name}`,
    make: (random: Random) => sample(`token: ${name}`, make, (secret, r) => r.of(inText)(secret, r), random),
  })),
  ...Object.entries(groups).flatMap(([group, formats]) =>
    Object.entries(formats).map(([name, [make, place]]) => ({
      format: `${group}: ${name}`,
      make: (random: Random) => sample(`${group}: ${name}`, make, place, random),
    })),
  ),
];

function sample(format: string, make: Make, place: Place, random: Random): Sample {
  const secret = make(random);
  const text = place(secret, random);
  // Some places change what a URL could not hold.
  return { format, text, secret: text.includes(secret) ? secret : secret.replace(/[#?%]/g, "_") };
}
