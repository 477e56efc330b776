import type { Address } from 'viem';
import type { RefusalReason } from './result/refusal.ts';

/** A decision that would go the other way under a proposed policy. */
export type ChangedDecision = {
  readonly decisionId: string;
  /** Unix seconds. */
  readonly decidedAt: number;
  readonly sender: Address;
  /** Of the refusal it would get, or of the one it would no longer get. */
  readonly reason: RefusalReason;
  /** The rule of the policy that decides. */
  readonly rule: string;
  readonly message: string;
  /** Its user would be offered to pay in a token. */
  readonly offeredTokenPayment?: true;
};

/** The last decisions, decided again with a proposed policy. */
export type PolicyPreview = {
  /** Decisions that were decided again: those in mode `SPONSORED` that signed or that a rule of the policy refused. */
  readonly replayed: number;
  /** Unix seconds of the oldest of them; limits count from there. Absent when there is none. */
  readonly since?: number;
  /**
   * Those of them whose worth in USD is not known, at their time or now: the proposed policy's caps and limits in USD did not
   * count for them.
   */
  readonly unpriced: number;
  /** Those of them whose arguments were not recorded: the proposed policy's rules on arguments did not count for them. */
  readonly unread: number;
  /** Signed then, refused under the proposed policy. */
  readonly cutOff: readonly ChangedDecision[];
  /** Refused then by the policy, and not by the proposed one. */
  readonly letIn: readonly ChangedDecision[];
  /** How many decisions of each sender would be cut off, most first. */
  readonly senders: readonly { readonly sender: Address; readonly cutOff: number }[];
};
