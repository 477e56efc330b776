import type { Refusal } from '../../domain/result/refusal.ts';
import { type Result, refuse } from '../../domain/result/result.ts';
import { offersTokenPayment } from '../../policies/rules/rule-on-token.ts';
import type { Identified } from '../identify/identify.ts';
import type { Asked } from '../run/asked.ts';
import { takenTokens } from './taken-tokens.ts';

/**
 *
 *
 * A sponsorship's result; a refusal that the user may pay for names the accepted tokens, without a further question. The
 * trace mentions it with the remedy.
 */
export function withTokenOffers<T>(request: Asked & Identified, result: Result<T>): Result<T> {
  if (result.ok || !offersTokenPayment(request.profile.policy, result.refusal)) return result;
  const tokens = takenTokens(request).tokens.map(({ address, symbol, decimals }) => ({ address, symbol, decimals }));
  if (tokens.length === 0) return result;
  noteOffer(request, tokens);
  return refuse({ ...result.refusal, tokenOffers: tokens });
}

function noteOffer({ draft: { trace } }: Asked, tokens: NonNullable<Refusal['tokenOffers']>): void {
  const refused = trace.pop();
  if (refused === undefined) return;
  const names = tokens.map(({ symbol }) => symbol).join(', ');
  const offer = `The user can pay in a token instead (${names}).`;
  trace.push({ ...refused, remedy: [refused.remedy ?? [], offer].flat().join(' ') });
}
