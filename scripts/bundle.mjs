import { build } from "rolldown";
import bundles from "../rolldown.config.mjs";

// The command of Rolldown lists hundreds of files that nobody wants to read.
for (const bundle of bundles) await build(bundle);
