import type { Address, Hex } from 'viem';

/** Where an event stands on chain: its identity in the books. */
export type EventPlace = { readonly txHash: Hex; readonly logIndex: number };

/** A confirmed event that the books take in. Amounts in wei. */
export type ChainEvent =
  | (EventPlace & {
      readonly kind: 'deposit';
      readonly contract: Address;
      readonly wallet: Address;
      readonly amount: bigint;
    })
  | (EventPlace & {
      readonly kind: 'user-operation';
      readonly contract: Address;
      readonly userOperationHash: Hex;
      readonly sender: Address;
      readonly nonce: bigint;
      readonly actualGasCost: bigint;
    });
