import type { TrustRequest } from "../../trust/request.js";

export interface TrustState extends TrustRequest {
  isAllowed: boolean;
}

/** What the project brings that Ralph obeys only with the user's consent. */
export interface TrustVerbs {
  /** Everything the project asks for at present. */
  list(): Promise<TrustState[]>;
  /** Whether the records come from somebody else: git tracks them, or another user owns them. */
  hasForeignRecords(): Promise<boolean>;
  /** Remembers that the user allowed these requests; all that the project asks for by default. */
  allow(requests?: readonly TrustRequest[]): Promise<void>;
  /** Allows nothing any more; returns whether anything was allowed. */
  withdraw(): Promise<boolean>;
}
