/** Turns texts into vectors whose angle tells how alike their meanings are. */
export interface Embedder {
  /** Names the model and where it comes from: vectors of two models cannot be compared. */
  readonly model: string;
  /** Of each vector; 0 while a server has not answered yet. */
  readonly dimensions: number;
  /** One vector for each text, in their order. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  close?(): Promise<void>;
}

export interface EmbedOptions {
  /** Somebody waits for the answer: no second try, and little patience. */
  isUrgent?: boolean;
}
