import type { Memory } from "../../memory/memory.js";

/** The part of JSON Schema that our arguments need. */
export type ArgumentSchema =
  | { type: "string"; enum?: readonly string[]; description?: string }
  | { type: "integer"; minimum?: number; maximum?: number; description?: string }
  | { type: "array"; items: { type: "string" }; description?: string };

export type ArgumentSchemas = Readonly<Record<string, ArgumentSchema>>;

type ArgumentValue<Schema> = Schema extends { enum: readonly (infer Word)[] }
  ? Word
  : Schema extends { type: "integer" }
    ? number
    : Schema extends { type: "array" }
      ? string[]
      : string;

export type ArgumentValues<Schemas extends ArgumentSchemas, Required extends keyof Schemas> = {
  [Name in Required]: ArgumentValue<Schemas[Name]>;
} & { [Name in Exclude<keyof Schemas, Required>]?: ArgumentValue<Schemas[Name]> | undefined };

/** The answer of a tool, as text for clients that show text, and as a value for those that show values. */
export interface Answer {
  text: string;
  value: Record<string, unknown>;
}

export interface Tool {
  name: string;
  description: string;
  arguments: ArgumentSchemas;
  required: readonly string[];
  /** `reads` changes nothing, `adds` only adds, `deletes` takes something away. */
  effect: "reads" | "adds" | "deletes";
  /** Calling it again with the same arguments changes nothing more. */
  isIdempotent: boolean;
  /** Shown to models at once; a client may show others only when they are searched for. */
  isAlwaysLoaded?: boolean;
  /** Where a model finds the ids that it takes; the memory's own hints name commands. */
  whereIdsAre?: string;
  run(memory: Memory, given: Record<string, unknown>): Promise<Answer>;
}

interface TypedTool<Schemas extends ArgumentSchemas, Required extends keyof Schemas & string>
  extends Omit<Tool, "run" | "arguments" | "required"> {
  arguments: Schemas;
  required: readonly Required[];
  run(memory: Memory, given: ArgumentValues<Schemas, Required>): Promise<Answer>;
}

/** Infers the types of a tool's arguments. */
export function defineTool<const Schemas extends ArgumentSchemas, Required extends keyof Schemas & string>(
  tool: TypedTool<Schemas, Required>,
): Tool {
  return tool as unknown as Tool;
}
