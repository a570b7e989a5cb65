import type { Layout } from "../layout.js";
import { findGraphs } from "./find-graphs.js";
import { readGraph } from "./read-graph.js";
import { writeGraph } from "./write-graph.js";

/** The knowledge graph of the reference server for memory: entities with observations, and relations. */
export const serverMemoryLayout: Layout = {
  name: "server-memory",
  find: findGraphs,
  read: (path) => readGraph(path),
  write: writeGraph,
};
