import { mergeConfig } from "vitest/config";
import base from "./vitest.config.js";

/** The project "stores" alone. */
export default mergeConfig(base, { test: { project: ["stores"] } });
