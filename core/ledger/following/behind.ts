import type { Address } from 'viem';

/**
 * Why the ledger of a contract is not where the chain is. `node`: it did not answer. `differs`: what all nodes tell does not
 * come to the deposit on chain. `off-chain`: the ledger holds a block that is gone. `books`: the ledger does not take what the chain
 * says. `reading`: there is much to read yet.
 */
export type Behind = {
  readonly kind: 'node' | 'differs' | 'off-chain' | 'books' | 'reading';
  /** For people: a clause without a full stop. */
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
