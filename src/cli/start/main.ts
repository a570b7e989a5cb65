#!/usr/bin/env node
import { version } from "../../version.js";
import { type Require, requireKeptCode } from "./compile-cache.js";

/** What Node gives to each CommonJS file, as this one is when it is bundled; the import below becomes a call of it. */
// biome-ignore lint/style/useConst: it is Node that gives it its first value
declare let require: Require;

require = requireKeptCode(process.argv.slice(2), import.meta.dirname, require);
void import("../run-cli.js").then(({ runCli }) => runCli(version));
