import { mergeConfig } from "vitest/config";
import base from "./vitest.config.js";

/** The project "attack" alone. */
export default mergeConfig(base, { test: { project: ["attack"] } });
