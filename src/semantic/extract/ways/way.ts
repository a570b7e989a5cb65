/** One case of how something is done in a project. */
export interface Way {
  /** What it is about; cases of one subject are compared with each other. */
  subject: string;
  /** How it is done, as a sentence; `otherWay` if everybody expects that, or if it follows no rule. */
  choice: string;
  /** The file or command that shows it. */
  example: string;
}
