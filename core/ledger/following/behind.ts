import type { Address } from 'viem';

/**
 * Why the ledger of a contract is not up to date with the chain. `node`: it did not answer. `differs`: what all nodes say
 * does not add up to the deposit on chain. `off-chain`: the ledger contains a block that is not on the chain any more.
 * `books`: the ledger does not accept what the chain says. `reading`: there is still much to read.
 */
export type Behind = {
  readonly kind: 'node' | 'differs' | 'off-chain' | 'books' | 'reading';
  /** To be read by people: a clause without a full stop. */
  readonly text: string;
  readonly cause?: unknown;
};

/** The contracts that are behind. */
export type BehindByContract = ReadonlyMap<Address, Behind>;

export const nodeIsAway: Omit<Behind, 'cause'> = { kind: 'node', text: 'the chain could not be read' };
export const ledgerRefuses: Omit<Behind, 'cause'> = {
  kind: 'books',
  text: 'the ledger does not accept what the chain reports. The log has the cause',
};
export const stillReading: Behind = { kind: 'reading', text: 'the ledger is catching up with the chain' };
