import type { HoldRequest, TankKey } from '../../../core/ledger/holds/hold-request.ts';
import type { LimitLife, Operation } from './operations.ts';

/** An event of the chain that used a nonce, with the operations that it ended, its own first. */
export type Landing = { readonly chainId: number; readonly block: number; readonly holdIds: readonly number[] };

/** Who owns which paymaster, what is set, what was deposited, and the list of operations: everything else is recounted. */
export type Model = {
  readonly owners: ReadonlyMap<string, string>;
  operations: Operation[];
  landings: Landing[];
  deposits: { readonly tank: TankKey; readonly amount: bigint; readonly block: number }[];
  /** Limits of default policies by paymaster, of named ones by their ids, and of keys by paymaster and number. */
  readonly limits: Map<string, readonly LimitLife[]>;
  /** The named policies that may be chosen. */
  readonly enabled: Set<string>;
  /** Of accounts. */
  readonly budgets: Map<string, readonly LimitLife[]>;
  /** Each use of a ticket that was accepted and is not forgotten. */
  ticketUses: {
    readonly paymasterId: string;
    readonly id: string;
    readonly unit: string;
    readonly endsAt: number;
  }[];
  /** The latest end of forgotten tickets, by paymaster. */
  readonly forgottenTickets: Map<string, number>;
};

export const keyOwner = (paymasterId: string, keyNumber: number): string => `${paymasterId} key ${keyNumber}`;

export function isAtTank(operation: Operation, { chainId, contract, wallet }: TankKey): boolean {
  return operation.chainId === chainId && operation.contract === contract && operation.wallet === wallet;
}

/** Whether an operation is one that a request for this tank, policy, sender and nonce joins while it is live. */
export function isSamePlace(
  operation: Operation,
  { tank, policy, sender, nonce }: Pick<HoldRequest, 'tank' | 'policy' | 'sender' | 'nonce'>,
): boolean {
  const { paymasterId, policyId } = operation;
  const isSamePolicy = paymasterId === policy.paymasterId && policyId === policy.policyId;
  return isSamePolicy && isAtTank(operation, tank) && operation.sender === sender && operation.nonce === nonce;
}

/** What was put into a tank, and what its operations cost, in wei. */
export function moneyOf(model: Model, tank: TankKey): { readonly funded: bigint; readonly settled: bigint } {
  let [funded, settled] = [0n, 0n];
  for (const { tank: own, amount } of model.deposits) {
    if (own.chainId === tank.chainId && own.contract === tank.contract && own.wallet === tank.wallet) funded += amount;
  }
  for (const operation of model.operations) if (isAtTank(operation, tank)) settled += operation.landed?.charge ?? 0n;
  return { funded, settled };
}

/** Replaces an operation in the list. */
export function change(model: Model, operation: Operation, changed: Partial<Operation>): Operation {
  const after = { ...operation, ...changed };
  model.operations = model.operations.map((one) => (one === operation ? after : one));
  return after;
}
