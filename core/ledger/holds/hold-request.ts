import type { Address, Hex } from 'viem';
import type { KeyLimit } from '../../domain/api-key-rules.ts';
import type { UnpaidBudget } from '../../domain/budget.ts';
import type { HoldCaps, VendorBudget } from '../../domain/chain-config.ts';
import type { Refusal } from '../../domain/result/refusal.ts';
import type { CalledCounts } from '../../policies/called-limits.ts';
import type { PolicyKey } from '../../policies/policy-key.ts';
import type { CountedLimit, Ruling } from '../../policies/rules/ruling.ts';
import type { DecisionRow } from '../../store/decision-tables.ts';

/** A second paymaster is to be asked, if its budget has room for the worst case. */
export type VendorAsk = {
  /** The worst case, in millionths of a USD. */
  readonly usdMicros: bigint;
  readonly budget: VendorBudget;
  /** Why ours does not sign: this is returned when the budget has no room. */
  readonly why: Refusal;
  /** Until when an answer is awaited, in Unix seconds. */
  readonly askedUntil: number;
};

/** What was set aside for one question, in millionths of a USD, and until when its answer is awaited (Unix seconds). */
export type VendorReservation = {
  readonly added: bigint;
  readonly askedUntil: number;
  /** The previous answer to the same request, as JSON. The other paymaster is not asked again then. */
  readonly answer?: string;
};

/** Which gas tank: what one funding wallet has deposited on chain for one paymaster contract. */
export type TankKey = { readonly chainId: number; readonly contract: Address; readonly wallet: Address };

/** What the chain has available, as last seen, in wei. */
export type ChainFunds = {
  /** The contract's deposit at the EntryPoint, which all its tanks share. */
  readonly chainDeposit: bigint;
  /** The wallet's own balance in the contract; undefined where the contract keeps none for each customer. */
  readonly walletBalance: bigint | undefined;
};

/** An operation to send to a bundler: its hash, and the JSON of the operation. */
export type RelayedOperation = { readonly userOperationHash: Hex; readonly operation: string };

/** A payment in a token, in its base units. */
export type TokenPayment = {
  readonly token: Address;
  /** The most that the contract may take. */
  readonly most: bigint;
  /** What the sender has when the tokens are taken; 0 if the token does not tell. */
  readonly balance: bigint;
  /** Operation keys of other operations of the sender that have landed, though the ledger does not know it yet. */
  readonly landed?: ReadonlySet<string>;
};

/** Who pays for an operation in the end. */
export type Payment = {
  /** How much of the gas the user pays, in percent: 0 if the sponsor pays all of it, 100 if the sponsor only advances it. */
  readonly userPercent: number;
  /** What the user pays with; undefined where the user pays nothing, or it is not known. */
  readonly tokens: TokenPayment | undefined;
};

/** The sponsor pays all of the gas. */
export const sponsoredPayment: Payment = { userPercent: 0, tokens: undefined };

/** Millionths of a USD for 10^18 wei. */
export type CoinPrices = {
  /** What limits in USD count with, which refuse without it. */
  readonly usdMicrosPerCoin: bigint | undefined;
  /** As last seen in the background and recently: budgets of the account count with it, and refuse without it. */
  readonly seenUsdMicrosPerCoin: bigint | undefined;
};

/** The ticket of a request. */
export type RequestTicket = {
  /** Its user, as a digest. */
  readonly user: string;
  /** What may be spent on it: its identity as a digest, its end in Unix seconds, and the limits. Undefined where nothing bounds it. */
  readonly bounded:
    | { readonly id: string; readonly endsAt: number; readonly limits: readonly CountedLimit[] }
    | undefined;
};

/** What may be open at a tank. */
export type OpenCaps = {
  /** Who requests it, as a digest of the address; undefined if no client is counted. */
  readonly client: string | undefined;
  readonly most: HoldCaps;
};

/** How an operation comes to the chain, and is found there. */
export type Landing = {
  /** Finds the operation when its hash is different (`contentId`, of a relayed one `bareContentId`); undefined if another paymaster signs. */
  readonly contentId: Hex | undefined;
  /** Stored with the hold, so that it is sent after a crash too; undefined of one that its client sends. */
  readonly relayed: RelayedOperation | undefined;
  /**
   * The contracts in whose tanks the same operation would be held the other way: of a relayed one the paymaster contracts at its
   * EntryPoint, of one to sign the relay there. None where the chain has one way.
   */
  readonly otherPayers: readonly Address[];
};

/**
 * A worst case to set aside before a signature is made. What is optional depends on who asks: a trial, after which nothing is
 * signed, has neither {@link caps} nor {@link landing}; {@link calls} are those of sponsored operations; {@link ticket},
 * {@link vendor} and {@link unpaidBudget} belong to operations of one kind.
 */
export type HoldRequest = ChainFunds & {
  readonly tank: TankKey;
  /** The paymaster's account, by which requests take turns. */
  readonly accountId: string;
  readonly policy: PolicyKey;
  /** What all of this was decided on. */
  readonly decidedOn: {
    /** How often the paymaster had been changed; undefined where it is not compared. */
    readonly paymasterChanges: number | undefined;
    /** Whether it is still current, as far as this process knows. */
    isCurrent(): boolean;
  };
  /** The requesting key, and the limits of each of the paymaster's keys, by its number: 0 is the paymaster's own. */
  readonly key: { readonly keyNumber: number; readonly limits: ReadonlyMap<number, readonly KeyLimit[]> };
  /** Limits and budgets count the sponsor's part. */
  readonly payment: Payment;
  readonly prices: CoinPrices;
  readonly sender: Address;
  readonly nonce: bigint;
  /** Wei; the most the sponsor can be charged. */
  readonly amount: bigint;
  /** The operation gives its sender code that is known: others may be signed that come after it. */
  readonly deploys: boolean;
  /**
   * Its bundler is paid for an EIP-7702 authorization, which is needed only once: no other operation of the sender may be
   * open.
   */
  readonly paysAuthorization: boolean;
  /** Its call went through in a simulation; false where none was made. */
  readonly simulated: boolean;
  /** Unix seconds. */
  readonly validUntil: number;
  /**
   * This is later than allowed where the policy does not say: it uses a part of the tank reserved for such holds.
   */
  readonly lastsLong: boolean;
  /** A string that identifies a request and everything that decides its signature: the same again gets the same terms. */
  readonly requestKey: string;
  /** What is going to be signed, as text. */
  readonly terms: string;
  /** The key that is going to sign it. */
  readonly signer: Address;
  /** Of an operation that was requested with one. */
  readonly ticket?: RequestTicket;
  /**
   * How many calls it makes that the policy's limits of contracts and methods count; without it such a limit refuses.
   */
  readonly calls?: CalledCounts;
  /** Another paymaster is going to be asked: nothing is set aside in the tank, and limits count it as usual. */
  readonly vendor?: VendorAsk;
  /** For an operation that can land without being paid for: how much of that is allowed. */
  readonly unpaidBudget?: UnpaidBudget;
  /** Without it anything may be open. */
  readonly caps?: OpenCaps;
  /** Without it nothing is recorded that finds or sends the operation. */
  readonly landing?: Landing;
  /** The decision's record, to be stored with the hold, if it has one; the rulings are those of the hold itself. */
  decisionRow(rulings: readonly Ruling[]): DecisionRow | undefined;
};

/**
 * The hold, or how much was missing, or the limit that refused it, or `busy` when too many of the account wait for a
 * decision, or `changed` when the paymaster is not what it was decided on any more. `terms` are those of an earlier
 * equal request whose hold is live: they are to be signed instead. `rulings` are the limits'.
 */
export type HoldOutcome =
  | {
      readonly kind: 'held';
      readonly holdId: number;
      readonly terms?: string;
      readonly vendor?: VendorReservation;
    }
  | {
      readonly kind: 'limited';
      readonly rulings: readonly Ruling[];
      readonly refusal: Refusal;
      /** Nonces of the sender's operations whose token payments it was refused for. */
      readonly openPayments?: readonly bigint[];
    }
  | { readonly kind: 'unfunded'; readonly rulings: readonly Ruling[]; readonly available: bigint }
  | { readonly kind: 'busy' }
  | { readonly kind: 'changed' };

/** A key as it is stored. */
type Texts<Key> = { readonly [Part in keyof Key]: Key[Part] extends string ? string : Key[Part] };

/** A string for each gas tank, for maps. */
export function tankIdentity(tank: Texts<TankKey>): string {
  return `${tank.chainId}:${tank.contract}:${tank.wallet}`;
}

/** The place on chain that only one operation can use: a sender's nonce. */
export function operationKeyOf(operation: Pick<HoldRequest, 'sender' | 'nonce'>): string {
  return `${operation.sender}:${operation.nonce}`;
}

/** The identity of a live hold. */
export function holdIdentity(tankId: number, policy: PolicyKey, operationKey: string): string {
  return `${tankId}:${policy.paymasterId}:${policy.policyId}:${operationKey}`;
}

/** The key under which another paymaster's answer to a request is kept: they are no terms of ours. */
export function answerKey(requestKey: string): string {
  return `answer/${requestKey}`;
}
