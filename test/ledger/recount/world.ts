import type { Address } from 'viem';
import type { KeyLimit } from '../../../core/domain/api-key-rules.ts';
import type { TankKey } from '../../../core/ledger/holds/hold-request.ts';
import type { Store } from '../../../core/store/store.ts';
import type { SeededRandom } from '../../support/arbitrary/seeded-random.ts';
import { numberedAddress } from '../../support/core/ledger-lab.ts';
import type { Model } from './model.ts';
import type { Operation } from './operations.ts';

/** A paymaster of the world, and where its operations come to the chain: through its contract, or a relay. */
export type Tenant = {
  readonly paymasterId: string;
  readonly accountId: string;
  readonly tank: TankKey;
  readonly relay: TankKey | undefined;
  /** The numbers of its keys. */
  readonly keys: readonly number[];
};

const accounts = ['20000000-0000-4000-8000-000000000001', '20000000-0000-4000-8000-000000000002'] as const;
const [first, second, relay] = [0xc1, 0xc2, 0xe1].map(numberedAddress) as [Address, Address, Address];
const tankAt = (chainId: number, contract: Address, wallet: number): TankKey => {
  return { chainId, contract, wallet: numberedAddress(wallet) };
};
const tenant = (number: number, owner: 0 | 1, tanks: Pick<Tenant, 'tank' | 'relay' | 'keys'>): Tenant => {
  return { paymasterId: `10000000-0000-4000-8000-00000000000${number}`, accountId: accounts[owner], ...tanks };
};

/** Two accounts on two chains. The first and the last paymaster share a tank, and the first of one account has a relay. */
export const tenants: readonly Tenant[] = [
  tenant(1, 0, { tank: tankAt(1, first, 1), relay: tankAt(1, relay, 1), keys: [0, 1, 2] }),
  tenant(2, 0, { tank: tankAt(2, second, 1), relay: undefined, keys: [0] }),
  tenant(3, 1, { tank: tankAt(1, first, 2), relay: tankAt(1, relay, 2), keys: [0, 1] }),
  tenant(4, 1, { tank: tankAt(1, first, 1), relay: undefined, keys: [0] }),
];

/** All contracts that are followed, by chain. */
export const contracts: readonly { readonly chainId: number; readonly address: Address; readonly isRelay: boolean }[] =
  [
    { chainId: 1, address: first, isRelay: false },
    { chainId: 1, address: relay, isRelay: true },
    { chainId: 2, address: second, isRelay: false },
  ];

/** A question to another paymaster that is not answered yet. */
export type Question = {
  readonly holdId: number;
  readonly requestKey: string;
  readonly added: bigint;
  readonly askedUntil: number;
};

/** What is on the chain and can be rolled back. Times in Unix seconds of the service's clock. */
export type Used = { readonly chainId: number; readonly key: string; readonly block: number; readonly at: number };

export type World = {
  readonly store: Store;
  readonly random: SeededRandom;
  readonly model: Model;
  readonly questions: Question[];
  /** Nonces that the chains have used. */
  used: Used[];
  /** The newest block by chain, and where each contract's ledger continues. */
  readonly blocks: Map<number, number>;
  readonly watches: Map<string, number>;
  /** The limits of keys as the service reads them with a paymaster, by {@link keyOwner}. */
  readonly keyLimits: Map<string, readonly KeyLimit[]>;
  /** How many named policies there have been. */
  policies: number;
  /** How often each rule let a request through and refused it, and how often other things happened. */
  readonly decided: Map<string, { passed: number; refused: number }>;
  readonly happened: Map<string, number>;
  /** Time of the chains; the service's clock may be ahead of it or behind. */
  chainTime: number;
  clockAhead: number;
  /** The service's time when accounts were last pruned. */
  prunedAt: number;
  step: number;
  serial: number;
};

/** The price of a coin of one USD, in millionths. */
export const coin = 1_000_000n;

/** An amount between two in millionths of a coin of one USD, in wei, with fractions of those. */
export function weiBetween(random: SeededRandom, min: number, max: number): bigint {
  return BigInt(random.between(min * 1_000, max * 1_000)) * 10n ** 9n + BigInt(random.below(1_000));
}

/** The service's time, in Unix seconds. */
export function timeOf({ chainTime, clockAhead }: World): number {
  return chainTime + clockAhead;
}

export function note({ happened }: World, what: string, times = 1): void {
  happened.set(what, (happened.get(what) ?? 0) + times);
}

export function usedKey({ sender, nonce }: Pick<Operation, 'sender' | 'nonce'>): string {
  return `${sender}:${nonce}`;
}
