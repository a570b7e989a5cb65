import type { Exchange, Step } from "./write-transcripts.js";

/** A session as people have them, with what a careful reader would take from it for the next one. */
export interface RealisticSession {
  name: string;
  agent: "claude" | "codex";
  exchanges: readonly Exchange[];
  /** Patterns of what is worth learning; nothing else is. */
  truths: readonly RegExp[];
}

const ran = (command: string, output = ""): Step => ({ tool: "Bash", input: { command }, output });
const failed = (command: string, output: string, exitCode = 1): Step => ({
  tool: "Bash",
  input: { command },
  error: `Exit code ${exitCode}\n${output}`,
  output,
  exitCode,
});
const edited = (path: string, before: string, after: string): Step => ({
  tool: "Edit",
  input: { file_path: `/project/${path}`, old_string: before, new_string: after },
  output: "The file has been updated.",
});
const read = (path: string): Step => ({
  tool: "Read",
  input: { file_path: `/project/${path}` },
  output: "     1\tconst x = 1;",
});
const refused = (command: string, said: string): Step => ({
  tool: "Bash",
  input: { command },
  error:
    "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). " +
    `To tell you how to proceed, the user said:\n${said}`,
});

/** A session of one exchange is written as that exchange. */
const sessions: readonly (Omit<RealisticSession, "exchanges"> &
  (Exchange | Pick<RealisticSession, "exchanges">))[] = [
  {
    name: "a package manager that the repository does not use",
    agent: "claude",
    exchanges: [
      {
        prompt: "Add zod to the api package and validate the body of POST /orders",
        steps: [
          read("packages/api/package.json"),
          failed(
            "npm install zod -w packages/api",
            'npm error code EUNSUPPORTEDPROTOCOL\nnpm error Unsupported URL Type "workspace:": workspace:*',
          ),
        ],
        said: "npm cannot install it because of the workspace protocol. Should I change package.json?",
      },
      {
        prompt: "no, we use pnpm in this repo, never npm",
        steps: [
          ran("pnpm add zod --filter api", "+ zod 4.1.0"),
          edited(
            "packages/api/src/orders.ts",
            "const body = req.body;",
            "const body = Order.parse(req.body);",
          ),
          ran("pnpm --filter api test", "12 passed"),
        ],
        said: "Done.",
      },
    ],
    truths: [/we use pnpm.*never npm/i, /EUNSUPPORTEDPROTOCOL.*pnpm add zod --filter api/],
  },
  {
    name: "a package that the tests need",
    agent: "codex",
    prompt: "The trial should end after 14 days, with a test",
    steps: [
      failed(
        "pytest tests/test_trial.py",
        "ImportError while importing test module '/project/tests/test_trial.py'.\ntests/test_trial.py:3: in <module>\n    from freezegun import freeze_time\nE   ModuleNotFoundError: No module named 'freezegun'",
        2,
      ),
      ran("pip install -e '.[dev]'", "Successfully installed freezegun-1.5"),
      ran("pytest tests/test_trial.py", "1 passed in 0.12s"),
    ],
    said: "The trial ends after 14 days now.",
    truths: [/freezegun.*pip install -e '\.\[dev\]'/],
  },
  {
    name: "a database that is not running, behind pipes",
    agent: "claude",
    prompt: "Why is the invoice total wrong for refunds?",
    steps: [
      read("src/invoice.ts"),
      ran(
        "npm test 2>&1 | tail -30",
        "  1) invoice total\n     Error: connect ECONNREFUSED 127.0.0.1:5432\n      at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)\n\n  0 passing (2s)\n  1 failing",
      ),
      ran("docker compose up -d db", " Container project-db-1  Started"),
      ran("npm test 2>&1 | tail -5", "  14 passing (3s)"),
      edited("src/invoice.ts", "total += item.amount", "total += item.refunded ? 0 : item.amount"),
      ran("npm test 2>&1 | tail -5", "  15 passing (3s)"),
    ],
    said: "Refunded items were counted.",
    truths: [/ECONNREFUSED.*docker compose up -d db/],
  },
  {
    name: "code that has to be generated",
    agent: "claude",
    prompt: "Show the customer's tier in the header",
    steps: [
      edited("src/header.tsx", "<Name />", "<Name /><Tier />"),
      ran(
        "npx tsc --noEmit 2>&1 | head -20",
        "src/db.ts(1,30): error TS2307: Cannot find module './generated/client' or its corresponding type declarations.",
      ),
      ran("npx prisma generate", "Generated Prisma Client"),
      ran("npx tsc --noEmit 2>&1 | head -20", ""),
    ],
    said: "The tier is shown.",
    truths: [/generated\/client.*npx prisma generate/],
  },
  {
    name: "a call that the person refuses with a reason",
    agent: "claude",
    prompt: "Publish the fix",
    steps: [
      ran("git add -A && git commit -m 'Fix rounding'", "1 file changed"),
      refused("git push origin main", "never push to main, open a pull request with gh pr create"),
      ran("git push -u origin fix-rounding", "branch set up"),
      ran("gh pr create --fill", "https://github.com/acme/shop/pull/12"),
    ],
    said: "The pull request is open.",
    truths: [/never push to main.*pull request/i],
  },
  {
    name: "a checksum that is missing",
    agent: "codex",
    prompt: "Log in JSON with slog and zap",
    steps: [
      failed(
        "go test ./...",
        "cmd/main.go:5:2: missing go.sum entry for module providing package go.uber.org/zap; to add:\n\tgo get example.com/shop/cmd",
      ),
      ran("go mod tidy", "go: downloading go.uber.org/zap v1.27.0"),
      ran("go test ./...", "ok  \texample.com/shop/cmd\t0.010s"),
    ],
    said: "It logs JSON.",
    truths: [/missing go\.sum entry.*go mod tidy/],
  },
  {
    name: "files and texts that are not there",
    agent: "claude",
    exchanges: [
      {
        prompt: "Where is the retry policy of the mailer configured?",
        steps: [
          failed("cat src/mailer/config.ts", "cat: src/mailer/config.ts: No such file or directory"),
          failed("grep -rn retryPolicy src", ""),
          ran("grep -rn 'retries' src", "src/mail/send.ts:12: retries: 3"),
          read("src/mail/send.ts"),
        ],
        said: "In `src/mail/send.ts`, line 12: three retries.",
      },
      {
        prompt: "thanks, and who calls it?",
        steps: [ran("grep -rn 'send(' src | head")],
        said: "The cron job.",
      },
    ],
    truths: [],
  },
  {
    name: "a mistake in one's own new code",
    agent: "codex",
    exchanges: [
      {
        prompt: "Write a function that adds working days to a date",
        steps: [
          failed(
            "npx vitest run src/days.test.ts",
            " FAIL  src/days.test.ts > addDays > skips the weekend\nAssertionError: expected 6 to be 8 // Object.is equality\n ❯ src/days.test.ts:9:24",
          ),
          ran("sed -i 's/+ 1/+ 3/' src/days.ts"),
          ran("npx vitest run src/days.test.ts", " ✓ src/days.test.ts (3 tests)"),
        ],
        said: "Weekends are skipped.",
      },
      { prompt: "can you make it shorter?", steps: [ran("npx vitest run src/days.test.ts", " ✓ 3 tests")] },
    ],
    truths: [],
  },
  {
    name: "a library of the system",
    agent: "claude",
    prompt: "Send the report by HTTPS with reqwest",
    steps: [
      failed(
        "cargo build",
        "error: failed to run custom build command for `openssl-sys v0.9.104`\n\n  Could not find directory of OpenSSL installation, and this `-sys` crate cannot\n  proceed without this knowledge.",
        101,
      ),
      ran("sudo apt-get install -y libssl-dev pkg-config", "Setting up libssl-dev"),
      ran("cargo build", "Finished `dev` profile"),
    ],
    said: "It builds.",
    truths: [/openssl-sys.*libssl-dev/],
  },
  {
    name: "a remedy after one that did not help",
    agent: "claude",
    prompt: "Build the old admin frontend",
    steps: [
      failed(
        "npm run build",
        "Error: error:0308010C:digital envelope routines::unsupported\n    at new Hash (node:internal/crypto/hash:71:19)\n  opensslErrorStack: [ 'error:03000086:digital envelope routines::initialization error' ],\n  code: 'ERR_OSSL_EVP_UNSUPPORTED'",
      ),
      ran("rm -rf node_modules && npm ci", "added 812 packages"),
      failed(
        "npm run build",
        "Error: error:0308010C:digital envelope routines::unsupported\n    at new Hash (node:internal/crypto/hash:71:19)\n  opensslErrorStack: [ 'error:03000086:digital envelope routines::initialization error' ],\n  code: 'ERR_OSSL_EVP_UNSUPPORTED'",
      ),
      ran("NODE_OPTIONS=--openssl-legacy-provider npm run build", "Build complete."),
    ],
    said: "Built.",
    truths: [/(?:0308010C|ERR_OSSL_EVP_UNSUPPORTED).*openssl-legacy-provider/],
  },
  {
    name: "a rule for the future",
    agent: "codex",
    exchanges: [
      {
        prompt: "Commit the new icons",
        steps: [ran("git commit -am 'icons'", "3 files changed")],
        said: "Done.",
      },
      {
        prompt: "From now on write commit messages as type(scope): summary. What does `git log -3` say?",
        steps: [ran("git log -3 --oneline", "1234567 icons")],
        said: "It says icons.",
      },
      {
        prompt: "ok, amend it and don't touch anything else",
        steps: [ran("git commit --amend -m 'feat(ui): icons'")],
      },
    ],
    truths: [/commit messages as type\(scope\): summary/i],
  },
  {
    name: "the command that is used here",
    agent: "claude",
    exchanges: [
      {
        prompt: "Fix the slow search of customers",
        steps: [
          failed(
            "python manage.py test customers",
            'django.db.utils.OperationalError: connection to server at "localhost" (127.0.0.1), port 5432 failed: Connection refused',
          ),
        ],
        said: "The tests need a database. I could mock it.",
      },
      {
        prompt: "Don't mock it. Use `make test` instead of manage.py, it starts the database.",
        steps: [
          ran("make test", "Ran 80 tests in 9s\nOK"),
          edited("customers/models.py", "name = CharField()", "name = CharField(db_index=True)"),
          ran("make test", "Ran 80 tests in 4s\nOK"),
        ],
        said: "Indexed.",
      },
      { prompt: "why is it 4 seconds now, is that always the case?", said: "Because of the index." },
    ],
    truths: [/use `make test` instead of manage\.py/i],
  },
  {
    name: "talk that only sounds like a rule",
    agent: "claude",
    exchanges: [
      {
        prompt: "Move the pricing page to the new layout",
        steps: [edited("src/pricing.tsx", "<Old>", "<New>")],
        said: "Moved.",
      },
      { prompt: "no that's wrong, the button never shows up when I click it", said: "I see." },
      { prompt: "it always worked before, use the old handler for now" },
      { prompt: "no, not like that. make the second column wider" },
      { prompt: "I don't like the colour, try a darker blue" },
    ],
    truths: [],
  },
  {
    name: "another form of the command that failed",
    agent: "codex",
    prompt: "Add the date picker to the booking form",
    steps: [
      failed(
        "npm install react-day-picker",
        'npm error code ERESOLVE\nnpm error ERESOLVE unable to resolve dependency tree\nnpm error Found: react@19.0.0\nnpm error Could not resolve dependency:\nnpm error peer react@"^18.0.0" from react-day-picker@8.10.1',
      ),
      ran("npm view react-day-picker peerDependencies", "{ react: '^18.0.0' }"),
      ran("npm install react-day-picker --legacy-peer-deps", "added 1 package"),
      ran("cat package.json | head -20", "{}"),
    ],
    said: "It is in the form.",
    truths: [/ERESOLVE.*npm install react-day-picker --legacy-peer-deps/],
  },
];

export const realisticSessions: readonly RealisticSession[] = sessions.map((session) =>
  "exchanges" in session ? session : { ...session, exchanges: [session] },
);
