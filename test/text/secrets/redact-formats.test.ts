import { describe, expect, it } from "vitest";
import { redact } from "../../../src/text/secrets/redact.js";
import { growsLinearly } from "../../support/grows-linearly.js";
import { nearMisses, nearMissKinds } from "./samples/near-misses.js";
import { randomFrom } from "./samples/random.js";
import { secretFormats } from "./samples/secrets.js";

/** The same each time, so that no run fails by chance; the attack on every way in uses fresh ones. */
const seed = Number(process.env.RALPH_SEED) || 1;

describe(`formats of secrets (RALPH_SEED=${seed})`, () => {
  it.each(secretFormats)("are redacted: $format", ({ make }) => {
    const random = randomFrom(seed);
    const samples = Array.from({ length: 4 }, () => make(random));
    const missed = samples.filter(({ text, secret }) => redact(text).text.includes(secret));
    // A random password may happen to be a word.
    expect(missed.length > 1 ? missed.map(({ text }) => text) : []).toEqual([]);
  });

  it("are missed by less than one in a hundred", () => {
    const random = randomFrom(seed);
    const samples = secretFormats.flatMap(({ make }) => Array.from({ length: 5 }, () => make(random)));
    const missed = samples.filter(({ text, secret }) => redact(text).text.includes(secret));
    expect(missed.length / samples.length).toBeLessThan(0.01);
  });
});

describe(`what only looks like a secret (RALPH_SEED=${seed})`, () => {
  it("is left alone", () => {
    expect(nearMissKinds).toBeGreaterThan(200);
    const texts = nearMisses(randomFrom(seed), 3);
    const changed = texts.filter((text) => redact(text).text !== text);
    expect(changed.length / texts.length, changed.join("\n")).toBeLessThan(0.02);
  });
});

describe("the work of redaction", () => {
  const long: Record<string, string> = {
    Base64: "aB3+x/9Z",
    words: "the quick brown fox ",
    "names without values": "password:",
    "open quotes": 'password="',
    "key headers": "-----BEGIN PRIVATE KEY-----",
    addresses: "https://a:b",
    queries: "&token=",
    flags: "--password ",
    programs: "mysql ",
    cookies: "cookie: a=b; ",
    sentences: "the password is ",
    elements: "<password>",
    percent: "%41",
    JSON: '{"kty":"a","b":',
  };

  it.each(Object.entries(long))("grows with the text alone: %s", (_name, part) => {
    expect(growsLinearly((length) => redact(part.repeat(length / part.length)), 50_000)).toBe(true);
  });
});
