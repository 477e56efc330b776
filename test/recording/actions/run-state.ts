import type { LocalAccount } from 'viem/accounts';
import type { DecisionMethod } from '../../../core/domain/decision.ts';
import type { PaymasterDataRequest } from '../../../core/domain/paymaster-data.ts';
import type { DevUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import type { World } from '../world/open-world.ts';

/** A request that was sent, and the operation that can land if it was answered with a signature. */
export type Sent = {
  readonly method: DecisionMethod;
  readonly of: string;
  readonly request: PaymasterDataRequest;
  readonly operation: DevUserOperation;
  readonly owner: LocalAccount;
  readonly answer?: Answered;
};

/** The parts of an answer that later lines use. */
export type Answered = Readonly<Record<string, unknown>> & { readonly kind?: string };

/** What has happened so far in a run. */
export type RunState = {
  readonly world: World;
  /** Answers of the core by the names that actions gave them. */
  readonly kept: Map<string, unknown>;
  /** By the number of the line. */
  readonly sent: Map<number, Sent>;
  /** Paymasters in the order of their creation, by name. */
  readonly paymasters: Map<string, { readonly accountId: string; readonly paymasterId: string }>;
  /** Snapshots of the chain. */
  mark: `0x${string}` | undefined;
  /** The newest ledger entry that was observed, by paymaster. */
  readonly seenEntries: Map<string, number>;
};

export function newRunState(world: World): RunState {
  return { world, kept: new Map(), sent: new Map(), paymasters: new Map(), mark: undefined, seenEntries: new Map() };
}
