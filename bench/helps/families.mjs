// Families of tasks: each has its own objective, failure and remedy. `remedy` is what the scripted agent looks for in its prompt.
const pytest = (file, test, error) =>
  [
    "============================= test session starts ==============================",
    `collected 6 items\n\n${file} ....F.                                    [100%]\n`,
    "=================================== FAILURES ===================================",
    `________________________________ ${test} ________________________________\n`,
    `E       ${error}\n\n${file}:31: OperationalError`,
    "=========================== short test summary info ============================",
    `FAILED ${file}::${test} - ${error}`,
    "========================= 1 failed, 5 passed in 0.41s ==========================",
  ].join("\n");

export const families = [
  {
    name: "locked database",
    objective: (x) => `Make the tests of the ${x} importer pass`,
    file: (x) => `settings/${x}.ini`,
    failure: (x) =>
      pytest(`tests/test_${x}.py`, `test_${x}_import`, "sqlite3.OperationalError: database is locked"),
    remedy: "journal_mode=WAL",
    line: "journal_mode=WAL",
    said: (x) =>
      `The ${x} importer opens its database with journal_mode=WAL now, so that readers do not block the writer.`,
  },
  {
    name: "module not found by the compiler",
    objective: (x) => `Get the type check of the ${x} package green`,
    file: (x) => `packages/${x}/tsconfig.json`,
    failure: (x) =>
      `packages/${x}/src/index.ts(4,22): error TS2792: Cannot find module '@shop/${x}-kit'.\nFound 1 error in packages/${x}/src/index.ts:4`,
    remedy: '"moduleResolution": "bundler"',
    line: '{ "compilerOptions": { "moduleResolution": "bundler" } }',
    said: (x) => `Set "moduleResolution": "bundler" in the tsconfig of ${x}.`,
  },
  {
    name: "server not up in browser tests",
    objective: (x) => `Repair the end-to-end test of the ${x} page`,
    file: (x) => `e2e/${x}.config.ts`,
    failure: (x) =>
      `Running 3 tests using 1 worker\n\n  1) [chromium] › e2e/${x}.spec.ts:12:5 › ${x} page › opens\n\n    Error: page.goto: net::ERR_CONNECTION_REFUSED at http://localhost:4173/${x}\n\n  1 failed\n  2 passed (4.8s)`,
    remedy: "webServer.reuseExistingServer",
    line: "config.webServer.reuseExistingServer = true;",
    said: () => "The preview server is started by the tests: webServer.reuseExistingServer is set.",
  },
  {
    name: "compiler missing in an image",
    objective: (x) => `Build the container image of the ${x} worker`,
    file: (x) => `docker/${x}.Dockerfile`,
    failure: (x) =>
      `#9 [4/6] RUN pip install -r ${x}/requirements.txt\n#9 7.312 error: command 'gcc' failed: No such file or directory\n#9 ERROR: process "/bin/sh -c pip install -r ${x}/requirements.txt" did not complete successfully: exit code: 1`,
    remedy: "apt-get install -y build-essential",
    line: "RUN apt-get update && apt-get install -y build-essential",
    said: () => "The image now runs apt-get install -y build-essential before pip.",
    learned: "images that build wheels need apt-get install -y build-essential before pip install",
  },
  {
    name: "closed channel",
    objective: (x) => `Stop the ${x} queue from panicking at shutdown`,
    file: (x) => `queue/${x}.go`,
    failure: (x) =>
      `panic: send on closed channel\n\ngoroutine 41 [running]:\nexample.com/shop/queue.(*Queue).Push(0xc00011e000)\n\t/src/queue/${x}.go:58 +0x6c\n--- FAIL: TestShutdown (0.03s)\nFAIL\texample.com/shop/queue\t0.041s\nFAIL`,
    remedy: "sync.Once",
    line: "var closing sync.Once // closes the channel after the last sender",
    said: (x) => `The ${x} queue closes its channel in a sync.Once after the last sender has returned.`,
  },
  {
    name: "not sendable between threads",
    objective: (x) => `Let the ${x} renderer use all cores`,
    file: (x) => `crates/${x}/src/lib.rs`,
    failure: (x) =>
      `error[E0277]: \`Rc<RefCell<Scene>>\` cannot be sent between threads safely\n  --> crates/${x}/src/lib.rs:73:18\n   |\n73 |     thread::spawn(move || draw(scene));\n   |                  ^^^^^^^^^^^^^ cannot be sent\n\nerror: could not compile \`${x}\` (lib) due to 1 previous error`,
    remedy: "Arc<RwLock<Scene>>",
    line: "type Shared = Arc<RwLock<Scene>>;",
    said: (x) => `${x} shares its scene as Arc<RwLock<Scene>>.`,
  },
  {
    name: "checker with a format of its own",
    objective: (x) => `Publish the ${x} chapter of the handbook`,
    file: (x) => `handbook/${x}.md`,
    failure: (x) =>
      `quill 2.3 (house rules of March)\nreading 41 pages\n...........!\nhandbook/${x}.md:1 R41 anchor is ambiguous\n1 problem`,
    remedy: "slug-prefix: chapter",
    line: "slug-prefix: chapter",
    said: (x) => `Gave the ${x} page slug-prefix: chapter in its head.`,
  },
  {
    name: "pending migration",
    objective: (x) => `Get the ${x} service to boot in the pipeline`,
    file: (x) => `ci/${x}.sh`,
    failure: (x) =>
      `${x} | ActiveRecord::PendingMigrationError: Migrations are pending.\n${x} |   config/environment.rb:5:in '<main>'\n${x} exited with code 1`,
    remedy: "bin/rails db:prepare",
    line: "bin/rails db:prepare",
    said: (x) => `The pipeline runs bin/rails db:prepare before it starts ${x}.`,
    learned: "run bin/rails db:prepare before a service boots in the pipeline",
  },
];

export const names = [
  ...[
    "cart",
    "catalog",
    "invoice",
    "shipping",
    "returns",
    "coupon",
    "search",
    "review",
    "account",
    "wishlist",
  ],
  ...[
    "payment",
    "stock",
    "label",
    "route",
    "pickup",
    "tariff",
    "claim",
    "survey",
    "banner",
    "feed",
    "ledger",
    "quota",
  ],
  ...["badge", "digest", "alert", "locale"],
];
