/** Turns texts into vectors; the smaller the angle between two, the closer their meanings. */
export interface Embedder {
  /** Identifies the model: vectors of different models cannot be compared. */
  readonly model: string;
  /** Length of each vector; 0 until a server has answered. */
  readonly dimensions: number;
  /** One vector per text, in the same order. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  close?(): Promise<void>;
}

export interface EmbedOptions {
  /** Somebody is waiting: no retries and a short timeout. */
  isUrgent?: boolean;
}
