import type { GasTankEntryKind } from '../../domain/gas-tank.ts';

/**
 * The sums of a tank's entries, in wei; `onChain` is what the contract has for its wallet according to them. For entries
 * that settle: how many there are, how many of them had a price, and what they were worth at it, in millionths of a USD.
 */
export type EntrySums = {
  readonly funded: bigint;
  readonly settled: bigint;
  readonly held: bigint;
  readonly shortfall: bigint;
  readonly onChain: bigint;
  readonly operations: number;
  readonly priced: number;
  readonly usdMicros: bigint;
};

export const noEntries: EntrySums = {
  funded: 0n,
  settled: 0n,
  held: 0n,
  shortfall: 0n,
  onChain: 0n,
  operations: 0,
  priced: 0,
  usdMicros: 0n,
};

/** Entries of one kind; those that reverse others are below zero. `isRemote`: they carry a transaction of the chain. */
export type AddedEntries = {
  readonly kind: GasTankEntryKind;
  readonly isRemote: boolean;
  readonly wei: bigint;
  readonly count: number;
  readonly priced: number;
  readonly usdMicros: bigint;
};

/** The sums including these entries. */
export function addEntries(sums: EntrySums, { kind, isRemote, wei, ...added }: AddedEntries): EntrySums {
  const { funded, settled, held, shortfall, onChain } = sums;
  const forDeposit = isRemote ? wei : 0n;
  switch (kind) {
    case 'deposit':
      return { ...sums, funded: funded + wei, onChain: onChain + wei };
    case 'withdrawal':
      return { ...sums, funded: funded - wei, onChain: onChain - wei };
    case 'credit':
      return { ...sums, funded: funded + wei, onChain: onChain + forDeposit };
    case 'debit':
      return { ...sums, funded: funded - wei, onChain: onChain - forDeposit };
    case 'shortfall':
      return { ...sums, funded: funded + wei, shortfall: shortfall + wei };
    case 'recovery':
      return { ...sums, funded: funded - wei, shortfall: shortfall - wei };
    case 'settle':
      return {
        ...sums,
        settled: settled + wei,
        onChain: onChain - wei,
        operations: sums.operations + added.count,
        priced: sums.priced + added.priced,
        usdMicros: sums.usdMicros + added.usdMicros,
      };
    case 'hold':
      return { ...sums, held: held + wei };
    case 'release':
      return { ...sums, held: held - wei };
  }
}
