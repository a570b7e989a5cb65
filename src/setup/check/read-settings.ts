import { maxGivenBytes, readRegularFile } from "../../files/read-regular-file.js";
import { parseJsonc, plainValue } from "../jsonc/parse-jsonc.js";
import { parseToml, type TomlTable } from "../toml/parse-toml.js";

/** The settings in a file; none if it is missing, or the agent could not read it either. */
export function readJsonSettings(path: string): Record<string, unknown> {
  try {
    return Object(
      plainValue(parseJsonc(readRegularFile(path, { maxBytes: maxGivenBytes }).toString("utf8"))),
    );
  } catch {
    return {};
  }
}

export function readTomlSettings(path: string): TomlTable {
  try {
    return parseToml(readRegularFile(path, { maxBytes: maxGivenBytes }).toString("utf8"));
  } catch {
    return {};
  }
}
