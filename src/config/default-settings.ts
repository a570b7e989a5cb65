import type { NoteType } from "../domain/note.js";

/** Every setting; a block in `ralph.yml` is the part of a key before the first dot. */
export interface Settings {
  "memories.enabled": boolean;
  "memories.inject": "auto" | "manual" | "none";
  "memories.budget": number;
  "memories.scope": "repository" | "branch";
  "memories.skill_injection": boolean;
  "memories.filter.types": NoteType[];
  "memories.filter.tags": string[];
  "memories.filter.recent": number;
}

export const defaultSettings: Settings = {
  "memories.enabled": true,
  "memories.inject": "auto",
  "memories.budget": 2000,
  "memories.scope": "repository",
  "memories.skill_injection": true,
  "memories.filter.types": [],
  "memories.filter.tags": [],
  "memories.filter.recent": 0,
};
