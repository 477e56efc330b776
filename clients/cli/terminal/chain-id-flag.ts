import { mistake } from './cli-error.ts';
import type { Flags } from './flags.ts';

/** The value of `--chain-id`; undefined without the flag. */
export function chainIdFlag(flags: Flags): number | undefined {
  if (flags.chainId === undefined) return undefined;
  const chainId = Number(flags.chainId);
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw mistake('--chain-id must be a whole number above 0.');
  return chainId;
}
