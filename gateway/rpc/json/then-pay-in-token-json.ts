import { pmGetFeeQuoteOrData } from '@tollfree/contract/rpc/pm-get-fee-quote-or-data';
import type { ThenPayInToken } from '@tollfree/contract/rpc/refusals';
import type { TokenOffer } from '../../../core/domain/result/refusal.ts';

/** What a refusal says of the tokens that the user may pay in instead. */
export function thenPayInTokenJson(tokens: readonly TokenOffer[]): ThenPayInToken {
  return { ask: { method: pmGetFeeQuoteOrData.method, mode: 'ERC20' }, tokens: [...tokens] };
}
