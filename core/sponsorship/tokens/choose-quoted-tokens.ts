import { maxTokens } from '@tollfree/contract/limits';
import { accept, refuse } from '../../domain/result/result.ts';
import type { SponsorshipContext } from '../../domain/sponsorship.ts';
import type { Identified } from '../identify/identify.ts';
import type { Asked } from '../run/asked.ts';
import type { Step } from '../run/steps.ts';
import { type ChosenTokens, chooseTokens } from './choose-tokens.ts';
import { takenTokens } from './taken-tokens.ts';

/** The client's choice of tokens. */
type TokenInfo = { readonly tokenInfo: NonNullable<SponsorshipContext['tokenInfo']> };

/** The tokens to quote. */
export type QuotedTokens = { readonly chosen: ChosenTokens };

/** A quote needs `tokenInfo`, even an empty one. */
export const readTokenInfo: Step<Asked, TokenInfo> = ({ context: { tokenInfo } }) =>
  tokenInfo === undefined
    ? refuse({ reason: 'INVALID_PARAMS', message: 'tokenInfo must be an object', field: 'tokenInfo' })
    : accept({ tokenInfo });

/** The tokens that the client names, else all that the paymaster accepts. */
export const chooseQuotedTokens: Step<Asked & Identified & TokenInfo, QuotedTokens> = (request) => {
  const chosen = chooseTokens(request.tokenInfo, takenTokens(request));
  if (chosen.tokens.length <= maxTokens) return accept({ chosen });
  return refuse({
    reason: 'INVALID_PARAMS',
    message: `tokenInfo.tokenList must hold at most ${maxTokens} tokens`,
    field: 'tokenInfo.tokenList',
  });
};
