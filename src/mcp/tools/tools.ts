import { forgetTool } from "./forget.js";
import { handoffTool } from "./handoff.js";
import { historyTool } from "./history.js";
import { recallTool } from "./recall.js";
import { reflectTool } from "./reflect.js";
import { rememberTool } from "./remember.js";
import { searchTool } from "./search.js";
import type { Tool } from "./tool.js";
import { whyTool } from "./why.js";

/** All tools, the most used first. */
export const tools: readonly Tool[] = [
  recallTool,
  searchTool,
  rememberTool,
  forgetTool,
  historyTool,
  reflectTool,
  whyTool,
  handoffTool,
];
