import { existsSync } from "node:fs";
import { join } from "node:path";
import { defaultSettings, type Settings } from "../../config/default-settings.js";
import type { LoadedSettings } from "../../config/loaded-settings.js";
import { loadSettings } from "../../config/loading/load-settings.js";
import { settingsCache } from "../../config/loading/settings-cache.js";
import { hasSettingVariable, settingsFileName } from "../../config/paths.js";
import type { Environment } from "../../domain/environment.js";
import { RalphError } from "../../domain/ralph-error.js";
import type { Project } from "../../files/find-project.js";
import type { TrustRequest } from "../../trust/request.js";
import type { Notice } from "../notice.js";
import { notTrusted, type ProjectTrust } from "./project-trust.js";

export interface ProjectSettingsOptions {
  folders: Project;
  ralphHome: string;
  environment: Environment;
  trust: ProjectTrust;
  /** Settings that override all files and variables. */
  overrides: Partial<Settings> | undefined;
  /** Continues without a project's settings file that is not valid. */
  isForgiving: boolean;
  notify(notice: Notice): void;
}

/** The settings of the user and of a project, without those that the user has not allowed. */
export type ProjectSettings = ReturnType<typeof projectSettings>;

export function projectSettings(options: ProjectSettingsOptions) {
  const { folders, ralphHome, environment, trust, overrides, isForgiving, notify } = options;
  let lastLoaded: Settings | undefined;
  let lastProblem = "";
  let leftOut: readonly TrustRequest[] = [];
  const leftOutOf = (block: string) => leftOut.filter(({ name }) => name.startsWith(`${block}.`));

  const settingsFiles = (): [user: string, project: string] => {
    const ownFile = join(folders.root, settingsFileName);
    const projectFile = existsSync(ownFile) ? ownFile : join(folders.home, settingsFileName);
    return [join(ralphHome, settingsFileName), projectFile];
  };

  /** Once, though a command reads its settings many times. */
  const reportProblem = (notice: Extract<Notice, { kind: "settings-unusable" }>): void => {
    if (notice.message !== lastProblem) notify(notice);
    lastProblem = notice.message;
  };

  const load = async ({ isTrusted = false } = {}): Promise<LoadedSettings> => {
    const [userFile, projectFile] = settingsFiles();
    const denied = isTrusted ? [] : trust.deniedLinks([projectFile]);
    trust.report(denied);
    const loadFiles = (...files: [string] | [string, string]) =>
      loadSettings({
        files,
        environment,
        allows: isTrusted ? () => true : trust.openAllowed(),
        cache: settingsCache(ralphHome),
      });
    try {
      const loaded = await (denied.length === 0 ? loadFiles(userFile, projectFile) : loadFiles(userFile));
      lastProblem = "";
      return loaded;
    } catch (error) {
      if (!isForgiving || !(error instanceof RalphError)) throw error;
      reportProblem({ kind: "settings-unusable", message: error.message, isLeftOut: true });
      return loadFiles(userFile);
    }
  };

  /** With `isTrusted`, as they would be if the user allowed everything that the project asks for. */
  const loadedSettings = async (how: { isTrusted?: boolean } = {}): Promise<LoadedSettings> => {
    const loaded = await load(how);
    if (!how.isTrusted) leftOut = loaded.leftOut;
    return { ...loaded, settings: { ...loaded.settings, ...overrides } };
  };

  const areAnySet = () => settingsFiles().some((path) => existsSync(path)) || hasSettingVariable(environment);

  /** The effective settings; the last valid ones if the files become invalid. */
  const settings = async (): Promise<Settings> => {
    if (!areAnySet()) return { ...defaultSettings, ...overrides };
    try {
      lastLoaded = (await loadedSettings()).settings;
    } catch (error) {
      if (lastLoaded === undefined || !(error instanceof RalphError)) throw error;
      reportProblem({ kind: "settings-unusable", message: error.message });
    }
    return lastLoaded;
  };

  return {
    settings,
    loadedSettings,
    settingsFiles,
    /** Reports which settings of a block were left out, where they would have mattered. */
    reportLeftOut(block: string): void {
      trust.report(leftOutOf(block));
    },
    /** Throws where what was left out would have been all that matters. */
    async refuseLeftOut(block: string): Promise<void> {
      await settings();
      const denied = leftOutOf(block);
      if (denied.length > 0) throw notTrusted(denied);
    },
  };
}
