import type { DecisionDraft } from '../../decisions/decision-draft.ts';
import type { Paymaster } from '../../domain/paymaster.ts';
import type { Result } from '../../domain/result/result.ts';
import type { SponsorshipContext, SponsorshipRequest } from '../../domain/sponsorship.ts';
import { wholePercent } from '../../domain/user-share.ts';
import type { SponsorshipParts } from './sponsorship-parts.ts';

/**
 * The user's share of the gas, in percent: 100 in token mode, less if the policy has users pay a share and gives the rest,
 * which its limits then count.
 */
export type UserPays = { readonly userPercent: number };

/** The fields of a hold for the share; empty if the user pays everything. */
export function userShare({ userPercent }: UserPays): { readonly userPercent?: number } {
  return userPercent === wholePercent ? {} : { userPercent };
}

/** Waits for the request's turn, then simulates. */
export function inTurn<T>(
  { parts, request, profile }: Asked & { readonly profile: { readonly paymaster: Pick<Paymaster, 'accountId'> } },
  work: () => Promise<Result<T>>,
): Promise<Result<T>> {
  const account = `${profile.paymaster.accountId} ${request.chainId}`;
  return parts.simulations.run({ client: request.clientAddress, account }, work);
}

/** A request about an operation, the parts that decide it, and the decision in progress. The input of every step. */
export type Asked = {
  readonly parts: SponsorshipParts;
  readonly draft: DecisionDraft;
  readonly request: SponsorshipRequest;
  /** The request's own, completed with the defaults of its method. */
  readonly context: SponsorshipContext;
  /**
   * Whether a client that gave limits gets the signed ones back: limits that it estimated with a stub can then be raised by
   * what no such estimate includes. Otherwise they are refused.
   */
  readonly mayRaiseLimits: boolean;
  /**
   * Whether limits far above the need are lowered, since the client gets the signed ones back. Otherwise they are refused.
   */
  readonly mayLowerLimits: boolean;
};

/** Thrown when the paymaster changes mid-decision, possibly by another process; the caller retries. */
export class PaymasterChanged extends Error {
  override readonly name = 'PaymasterChanged';
  readonly paymasterId: string;

  constructor(paymasterId: string) {
    super('The paymaster was changed during the request');
    this.paymasterId = paymasterId;
  }
}
