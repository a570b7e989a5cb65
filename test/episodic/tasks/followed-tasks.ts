/** What was asked and done, and prompts that came next: those that go on with it, and those that begin another task. */
export interface FollowedTask {
  objective: string;
  done: readonly string[];
  goesOn: readonly string[];
  turnsAway: readonly string[];
}

export const followedTasks: readonly FollowedTask[] = [
  {
    objective: "Cache the product pages in redis with a ttl of five minutes",
    done: [
      "src/cache/redis.ts",
      "npm test -- cache",
      "Product pages are now cached in redis for five minutes; the client reconnects after an error.",
    ],
    goesOn: [
      "Now deploy it to staging and watch the grafana dashboard for evictions",
      "now write the documentation and mention how to clear it",
      "What happens when the connection drops while a request is waiting?",
      "Let's move on to the tests",
      "next step please",
      "Something else I noticed: the ttl is never refreshed when a page is read",
      "Now make the duration configurable through an environment variable",
      "One more thing: log hits and misses",
    ],
    turnsAway: [
      "Now something else entirely: write a changelog generator that groups commits by author",
      "New task: the signup form must reject disposable email addresses",
      "Next: migrate the admin dashboard from webpack to vite",
      "Let's switch to the mobile app: push notifications do not arrive on Android 14",
      "Ok, unrelated: our license headers are outdated, replace the year in every source header",
      "Great, thanks. Next task: implement SSO with Okta for the back office",
    ],
  },
  {
    objective: "Fix the flaky login test",
    done: ["npm test -- login", "test/login.test.ts", "The login test waits for the session cookie now."],
    goesOn: ["now also add a test for the logout", "next, run it again ten times"],
    turnsAway: [
      "Now let's do something completely different. Create a Dockerfile for the backend with a multi stage build",
      "Different topic: how do we rotate the TLS certificates of the ingress?",
      "Add a GitHub workflow that publishes the npm package when a release is created",
      "new task: rename the analytics package",
    ],
  },
  {
    objective: "Implement pagination for the users endpoint in api/users.py",
    done: [
      "pytest api/tests/test_users.py",
      "api/users.py",
      "The endpoint takes page and per_page and returns a Link header.",
    ],
    goesOn: [
      "ok do the second one",
      "next: update the openapi description and the client",
      "Now the filter by role and by creation date should be combined with cursor based paging",
      "Let's do the frontend part now: load the next page when the list is scrolled to its end",
      "now let us look at the slow query that the ORM generates for the count",
    ],
    turnsAway: [
      "Forget that for now. Investigate why the nightly backup of the warehouse takes six hours",
      "Moving on to another ticket: JIRA-881, the avatar upload fails with images larger than 2 MB",
      "Now build a small CLI that converts our YAML fixtures to SQL inserts",
      "Switching gears: write a blog post draft about our incident in March",
    ],
  },
  {
    objective: "Move the staging database to a private subnet with terraform",
    done: [
      "terraform plan",
      "infra/network.tf",
      "The plan replaces the subnet group and the security group.",
    ],
    goesOn: [
      "now apply",
      "Next: the same for production",
      "Now open a pull request against main and ask the platform team for a review",
      "let's switch to the other approach with a bastion host",
      "Let's try a different approach: peer the networks instead of moving anything",
      "Is there a downtime when the instance is replaced?",
      "Explain the security group rules to me like I'm new to aws",
    ],
    turnsAway: [
      "Next up is the billing exporter: it should stream parquet files to S3 instead of CSV",
      "That's done. New objective: generate typed clients from the protobuf definitions",
      "Translate the onboarding emails to French and Spanish",
    ],
  },
  {
    objective: "Customers report that the PDF invoice shows a wrong VAT amount for Swiss addresses",
    done: ["src/billing/vat.ts", "vitest run billing", "The rate table lacked the 8.1 % of 2024."],
    goesOn: [
      "Now add a regression test with an address in Zurich",
      "what about Liechtenstein, do they use the same rates?",
      "Next, backfill the wrong documents of January and send a corrected copy to each customer",
      "can you also check how rounding works for line items with discounts",
      "new problem: the totals are off by one cent now",
    ],
    turnsAway: [
      "Now for something different: profile the startup of the desktop app, it takes nine seconds",
      "Let's switch topics. The websocket gateway drops messages under load, find out why",
      "Set up pre-commit hooks with ruff and mypy for the python services",
    ],
  },
  {
    objective: "Add a double jump to the player character",
    done: [
      "scripts/player.gd",
      "The player can jump a second time while in the air; the counter resets on the floor.",
    ],
    goesOn: [
      "make it a bit higher",
      "Now add a dust particle effect and a sound when it happens",
      "The animation looks wrong when falling off a ledge",
      "Next up: the wall slide should reset the counter as well",
    ],
    turnsAway: [
      "New feature, not related to the above: save games should be stored in the cloud via Steam",
      "Next task: localise all menu strings into Japanese",
      "now a different task: write a level editor plugin that exports tilemaps to JSON",
    ],
  },
  {
    objective: "Make the csv parser zero copy",
    done: ["cargo bench", "src/parser.rs", "Records borrow from the buffer now, 2.3 times faster."],
    goesOn: [
      "now run the fuzzer overnight settings for 60 seconds and show the crashes",
      "Use memchr for finding the delimiters",
      "switch to arena allocation and compare the numbers",
      "Great. Next: quoted fields with embedded newlines",
    ],
    turnsAway: [
      "Please start a new task: add a REST server with axum that exposes the metrics",
      "Something completely unrelated: explain how our kubernetes autoscaler picks the node type",
    ],
  },
  {
    objective: "Train a baseline classifier on the support tickets dataset",
    done: [
      "python train.py",
      "notebooks/baseline.ipynb",
      "Logistic regression on tf-idf reaches an F1 of 0.71.",
    ],
    goesOn: [
      "Now try a small transformer and compare",
      "Next: plot the confusion matrix and list the ten worst mistakes",
      "different idea: oversample the rare labels first",
      "Let's switch to lightgbm with the same features",
    ],
    turnsAway: [
      "Next, implement a Slack bot that posts the weekly on-call summary",
      "Let's work on something else now: the invoice OCR crashes on rotated scans",
    ],
  },
  {
    objective: "Rewrite the installation guide for Windows users",
    done: ["docs/install-windows.md", "I added the steps for winget and for WSL."],
    goesOn: [
      "Now translate the page into German",
      "add a section about proxies and corporate certificates",
      "ok now do the same for the mac page",
    ],
    turnsAway: [
      "Another task: remove the deprecated v1 endpoints from the gateway and its tests",
      "Refactor the payment retry queue so that poisoned messages go to a dead letter table",
    ],
  },
  {
    objective: "The navigation bar overlaps the content on small screens",
    done: ["src/styles/nav.css", "The bar is sticky below 640 px and the content has a top margin."],
    goesOn: [
      "Next do the footer as well, it overlaps too",
      "It still happens in Safari on an iPhone SE in landscape mode",
      "now take a screenshot at 375 and 768 pixels wide so I can compare",
    ],
    turnsAway: [
      "OK new topic. Write a script which anonymises the production dump before it is imported locally",
      "On a different note, upgrade postgres from 13 to 16 in docker compose and check the extensions",
    ],
  },
  {
    objective: "Why does the worker leak goroutines?",
    done: [
      "go test -race ./worker",
      "worker/pool.go",
      "The ticker is never stopped, so each job leaves a goroutine.",
    ],
    goesOn: [
      "Now fix it",
      "next: write a test that fails without the fix and detects lingering goroutines",
      "Then also check the scheduler for the same mistake",
      "Now bump the version, update the changelog, tag a release and push",
    ],
    turnsAway: [
      "Next issue: #512 users cannot change their password when two factor is on",
      "Now I want you to design a feature flag system with percentage rollouts",
    ],
  },
  {
    objective: "Add a --dry-run flag to the deploy command",
    done: ["cmd/deploy.go", "The flag prints the plan and exits."],
    goesOn: [
      "new requirement: it must also work with --json",
      "Now, what does the completion script offer after the flag?",
      "Another thing, the help text has a typo in the second sentence",
      "next: commit with a conventional commit message and push the branch",
      "Now rename the option to --plan-only everywhere, including the docs and shell completions",
    ],
    turnsAway: [
      "Let us turn to the website: the pricing table must show yearly plans",
      "Done with that. Now create a benchmark suite for the image thumbnailer",
      "let's switch to a new subject: accessibility audit of the checkout flow",
    ],
  },
];
