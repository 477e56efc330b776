import type { Signer } from './signer.ts';

/**
 * The keys of a chain as the configuration has them, the newest first. `complaints`: by contract version, why the newest key
 * did not sign for it when it was asked, and what fixes that; undefined before any was asked.
 */
export type SignersNow = {
  readonly keys: readonly Signer[];
  readonly complaints: ReadonlyMap<string, { readonly text: string; readonly remedy?: string }> | undefined;
};
