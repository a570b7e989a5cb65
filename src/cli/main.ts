#!/usr/bin/env node
import { version } from "../version.js";
import { cacheCompiledCode } from "./compile-cache.js";

cacheCompiledCode(process.env);
void import("./run-cli.js").then(async ({ runCli }) => process.exit(await runCli(version)));
