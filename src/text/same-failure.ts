/** What a failure says whatever the numbers: lines move and counts change between two sights of the same one. */
export function failureGist(message: string): string {
  return message.replace(/\d+/g, "#");
}

export function isSameFailure(one: string, other: string): boolean {
  return failureGist(one) === failureGist(other);
}
