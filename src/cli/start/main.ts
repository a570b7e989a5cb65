#!/usr/bin/env node
import { keepCompiledCode } from "./compile-cache.js";

keepCompiledCode(process.argv.slice(2), import.meta.dirname);
void import("../run-cli.js").then(({ runCli }) => runCli());
