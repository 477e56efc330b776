import type { Result } from '../../domain/result/result.ts';
import { wholePercent } from '../../domain/user-share.ts';
import { offersTokenPayment } from '../../policies/rules/rule-on-token.ts';
import type { Identified } from '../identify/identify.ts';
import type { Asked } from '../run/asked.ts';
import type { UserPays } from '../run/user-pays.ts';
import type { Parallel } from '../terms/parallel.ts';
import { withTokenOffers } from './with-token-offers.ts';

/**
 *
 *
 * Answers in token mode: the user pays the policy's share, or everything. If limits that count the rest are used up, and the
 * policy then lets users pay (`thenPayInToken`), the user pays everything.
 */
export async function payShareOrAll<Request extends Asked & Identified & Parallel, T>(
  request: Request,
  pay: (request: Request & UserPays) => Promise<Result<T>>,
): Promise<Result<T>> {
  const { policy } = request.profile;
  const shared = await pay({ ...request, userPercent: policy.userPaysPercent ?? wholePercent });
  if (shared.ok || policy.userPaysPercent === undefined || !offersTokenPayment(policy, shared.refusal)) return shared;
  // What the account may have signed already contains the rate of the share.
  if (request.parallel?.promised !== undefined) return withTokenOffers(request, shared);
  return pay({ ...request, userPercent: wholePercent });
}
