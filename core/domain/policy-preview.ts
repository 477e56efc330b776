import type { z } from 'zod';
import { address, integer, listOf, message, seconds, text, trueOrAbsent } from '../base/message-schema.ts';
import { refusalReason } from './result/refusal.ts';

/** A decision with a different result under a proposed policy. */
const ChangedDecisionSchema = message('ChangedDecision', {
  decisionId: text,
  decidedAt: seconds,
  sender: address,
  /** The reason of the refusal that it would get, or would no longer get. */
  reason: refusalReason,
  /** The rule of the policy that decides. */
  rule: text,
  message: text,
  /** Its user would be offered to pay in a token. */
  offeredTokenPayment: trueOrAbsent,
});
export type ChangedDecision = z.output<typeof ChangedDecisionSchema>;

/** How many decisions of a sender would be cut off. */
const CutOffSenderSchema = message('CutOffSender', {
  sender: address,
  cutOff: integer,
});

/** The last decisions, decided again with a proposed policy. */
export const PolicyPreviewSchema = message('PolicyPreview', {
  /** Replayed decisions: those in mode `SPONSORED` that signed or that a policy rule refused. */
  replayed: integer,
  /** Unix seconds of the oldest of them; limits count from there. Absent when there is none. */
  since: seconds.exactOptional(),
  /**
   * Decisions without a known worth in USD, at their time or now: the proposed policy's caps and limits in USD did not count
   * for them.
   */
  unpriced: integer,
  /** Decisions whose arguments were not recorded: the proposed policy's rules on arguments did not count for them. */
  unread: integer,
  /** Signed then, refused under the proposed policy. */
  cutOff: listOf(ChangedDecisionSchema),
  /** Refused then, and not under the proposed policy. */
  letIn: listOf(ChangedDecisionSchema),
  /** How many decisions of each sender would be cut off, most first. */
  senders: listOf(CutOffSenderSchema),
});
export type PolicyPreview = z.output<typeof PolicyPreviewSchema>;
