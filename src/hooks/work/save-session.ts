import { join } from "node:path";
import { isSystemError } from "../../domain/ralph-error.js";
import { makePrivateDirectory } from "../../files/private-directory.js";
import { replaceOwnFile } from "../../files/replace-file.js";
import { folderName } from "../list-session-files.js";
import { type AgentSession, sessionFile } from "../session-file.js";

export function saveSession(storeDirectory: string, session: AgentSession): void {
  const save = () =>
    replaceOwnFile(
      sessionFile(storeDirectory, session.agent, session.session),
      `${JSON.stringify(session)}\n`,
    );
  try {
    save();
  } catch (error) {
    if (!isSystemError(error, "ENOENT")) throw error;
    makePrivateDirectory(join(storeDirectory, folderName));
    save();
  }
}
