import { mistake } from '../../clients/cli/terminal/cli-error.ts';
import { type Flags, requiredFlag } from '../../clients/cli/terminal/flags.ts';
import { findWellKnownChain } from './well-known-chains.ts';

/** The chain id from `--chain`, which takes an id or a known name. */
export function chainFlag(flags: Flags): number {
  const text = requiredFlag(flags, 'chain');
  const known = findWellKnownChain(text)?.chainId;
  if (known !== undefined) return known;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw mistake('--chain must be a chain id, or a name like base.');
}
