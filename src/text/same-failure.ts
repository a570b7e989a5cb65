/** A failure without its numbers: line numbers and counts change between occurrences of the same failure. */
export function failureGist(message: string): string {
  return message.replace(/\d+/g, "#");
}

export function isSameFailure(one: string, other: string): boolean {
  return failureGist(one) === failureGist(other);
}
