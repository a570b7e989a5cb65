export const chunks: Readonly<Record<string, readonly string[]>>;
export function chunkOf(path: string): string | undefined;
