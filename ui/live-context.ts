import { createContext } from "preact";
import type { Live } from "./live.js";

export const LiveRuns = createContext<Live>({ runs: undefined, problem: undefined, isConnected: false });
