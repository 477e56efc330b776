import { type Hex, slice } from 'viem';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { SponsorshipMode } from '../../../core/domain/sponsorship.ts';

/** What the contracts of the development chain have been told in signed bytes. `postOpGas` and `rate` are of token mode. */
export type SignedTerms = {
  readonly validUntil: number;
  readonly validAfter: number;
  readonly postOpGas: bigint;
  readonly rate: bigint;
};

/** Reads `paymasterAndData` by the layouts that the contracts' sources describe. */
export function readSignedTerms(version: EntryPointVersion, mode: SponsorshipMode, paymasterAndData: Hex): SignedTerms {
  const data = slice(paymasterAndData, version === '0.6' ? 20 : 52);
  const read = (start: number, bytes: number) => BigInt(slice(data, start, start + bytes));
  // A singleton has a byte of flags more in token mode, Tollfree's own contract has one byte in both.
  const window = version !== '0.9' && mode === 'ERC20' ? 2 : 1;
  const terms = { validUntil: Number(read(window, 6)), validAfter: Number(read(window + 6, 6)) };
  if (mode === 'SPONSORED') return { ...terms, postOpGas: 0n, rate: 0n };
  if (version === '0.9') return { ...terms, postOpGas: read(85, 4), rate: read(33, 16) };
  return { ...terms, postOpGas: read(34, 16), rate: read(50, 32) };
}
