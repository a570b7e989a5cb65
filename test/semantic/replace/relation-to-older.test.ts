import { describe, expect, it } from "vitest";
import { relationToOlder } from "../../../src/semantic/replace/relation-to-older.js";

const replacing: [string, string][] = [
  ["We use PostgreSQL 14 in production", "We use PostgreSQL 16 in production"],
  ["The default port is 8080", "The default port is now 3000"],
  ["The default port is 8080", "The default port is 3000."],
  ["Deploys are done with Heroku", "We no longer deploy with Heroku; deploys are done with Fly.io"],
  ["Deploys are done with Heroku", "Deploys are now done with Fly.io"],
  ["Requires Node 18.10", "Requires Node 20.19"],
  ["Use port 5432", "Use port 5433"],
  ["The request timeout is 30s", "The request timeout is 60s"],
  ["Retry failed requests 3 times", "Retry failed requests 5 times"],
  ["Set LOG_LEVEL to debug", "Set LOG_LEVEL to info"],
  ["The default branch is main", "The default branch is develop"],
  ["The test command is `npm test`", "The test command is `pnpm test`"],
  ["The package manager is npm", "The package manager is now pnpm"],
  ["We use Redis for caching", "We use Memcached for caching, not Redis"],
  ["We use Redis for caching", "We now use Memcached for caching"],
  ["Tests run with Jest", "We moved from Jest to Vitest"],
  ["Tests run with Jest", "Switched the tests from Jest to Vitest"],
  ["We use npm", "Use pnpm instead of npm"],
  ["Use npm for installs", "Use pnpm for installs instead of npm"],
  ["We use Redux", "We no longer use Redux"],
  ["The docs are built with Sphinx", "Sphinx was replaced by MkDocs"],
  ["Strict mode is enabled", "Strict mode is disabled"],
  ["The chairperson of the board is Anna Weber", "The chairperson of the board is Ben Stone"],
  ["The author of the guide is Charles Dickens", "The author of the guide is Charles S. Darwin"],
  ["The staging app is hosted on Heroku", "The staging app is hosted on Render"],
  ["The service that sends mail is Postmark", "The service that sends mail is Mailgun"],
  ["The team sits in the city of Berlin", "The team sits in the city of Hamburg"],
  ["The certificate is valid until 2026-01-01", "The certificate is valid until 2027-01-01"],
  ["CI runs on Ubuntu 22.04", "CI runs on Ubuntu 24.04"],
  ["The type of index that the store uses is hash", "The type of index that the store uses is tree"],
];

const contradicting: [string, string][] = [
  ["Always mock the clock", "Never mock the clock"],
  ["Mock the clock in tests", "Don't mock the clock in tests"],
  ["Commit the lockfile", "Do not commit the lockfile"],
  ["Use tabs, not spaces", "Use spaces, not tabs"],
  ["Run migrations before deploying", "Run migrations after deploying"],
  ["Enable source maps in production", "Disable source maps in production"],
];

const neither: [string, string][] = [
  ["Use pnpm for installs", "Use pnpm for installs"],
  ["Run the linter before committing", "Before you commit, run the linter"],
  ["We use PostgreSQL 14 in production", "We use PostgreSQL 16 in staging"],
  ["We use Redis for caching", "We use Redis for queues"],
  ["We use Redis for caching", "We use Memcached for sessions"],
  ["We use Redis for caching", "We use Postgres for caching"],
  ["The problem of the store is slow queries", "The problem of the store is stale locks"],
  ["Step 1 needs a database", "Step 2 needs a database"],
  ["Run step 2 before the deploy", "Run step 3 before the deploy"],
  ["Test 3 is flaky", "Test 4 is flaky"],
  ["Worker 1 uses port 8080", "Worker 2 uses port 8081"],
  ["Worker 1 uses port 8080", "Worker 2 uses port 8080"],
  ["The API listens on port 8080", "The admin listens on port 8081"],
  ["Added 3 tests for the parser", "Added 5 tests for the parser"],
  ["The build took 30 seconds", "The build took 45 seconds"],
  ["Fixed issue 12 in the parser", "Fixed issue 14 in the parser"],
  ["HTTP 404 means the user is unknown", "HTTP 410 means the user is unknown"],
  ["The database is slow", "The database is PostgreSQL"],
  ["The default branch is main", "The default branch is protected"],
  ["The build is green", "The build is cached"],
  ["Deploys are done with Heroku", "We no longer use Heroku for previews"],
  ["Redux devtools must be enabled in development builds", "We no longer use Redux"],
  ["npm scripts live in package.json", "Use pnpm instead of npm"],
  ["Jest snapshots are stored in __snapshots__", "We moved from Jest to Vitest"],
  ["Deploys are done with Heroku", "We moved the docs from Heroku to Netlify"],
  ["Mock the clock in unit tests", "Never mock the clock in e2e tests"],
  ["Never commit secrets", "Never commit generated files"],
  ["Tests live in test/", "Docs live in docs/"],
  ["Use tabs in Makefiles", "Use spaces in Python"],
  ["The importance of tests is clear", "The importance of docs is clear"],
  ["The official language of Peru is Spanish", "The official language of France is French"],
  ["The staging app is hosted on Heroku", "The production app is hosted on Render"],
  ["The parser is covered by unit tests", "The parser is covered by fuzz tests"],
  ["Set A to 1", "Set B to 1"],
  ["The timeout for /login is 30 seconds", "The timeout for /search is 30 seconds"],
  ["Buttons have rounded corners", "The default port is now 3000"],
  ["", "Use pnpm"],
  ["Use pnpm", ""],
];

describe("a newer statement", () => {
  it.each(replacing)("replaces %j: %j", (older, newer) => {
    expect(relationToOlder(older, newer)).toBe("supersedes");
  });

  it.each(contradicting)("contradicts %j: %j", (older, newer) => {
    expect(relationToOlder(older, newer)).toBe("contradicts");
  });

  it.each(neither)("leaves %j alone: %j", (older, newer) => {
    expect(relationToOlder(older, newer)).toBeUndefined();
  });
});
