/** The name of this machine in records: the one that the user gave it, since containers get a new one each time. */
export function hostName(): string {
  return givenHostName() ?? process.getBuiltinModule("node:os").hostname();
}

export function givenHostName(): string | undefined {
  return process.env.RALPH_HOST || undefined;
}
