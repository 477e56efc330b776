import type { TokenConfig } from '../../domain/core-config.ts';
import { accept, refuse } from '../../domain/result/result.ts';
import type { Identified } from '../identify/identify.ts';
import type { Asked } from '../run/asked.ts';
import { notedIfRefused } from '../run/noted.ts';
import type { Step } from '../run/steps.ts';
import { namedFeeToken } from './choose-tokens.ts';

/** The token that the user wants to pay in, as sent. */
type NamedToken = { readonly namedToken: string };

/** The token that the user pays in. */
export type FeeToken = { readonly token: TokenConfig };

/** Which token a signature is requested for; there is no default. */
export const nameFeeToken: Step<Asked, NamedToken> = ({ context }) => {
  const namedToken = namedFeeToken(context.tokenInfo);
  if (namedToken !== undefined) return accept({ namedToken });
  return refuse({
    reason: 'INVALID_PARAMS',
    message: 'tokenInfo.feeTokenAddress must be a string',
    field: 'tokenInfo.feeTokenAddress',
  });
};

/** The token must be accepted on this chain. */
export const chooseFeeToken: Step<Asked & Identified & NamedToken, FeeToken> = notedIfRefused(
  { rule: 'fee-token', checked: 'tokenInfo.feeTokenAddress' },
  ({ chain, draft, namedToken }) => {
    const token = chain.rates.find(namedToken);
    if (token === undefined) {
      return refuse({
        reason: 'TOKEN_NOT_SUPPORTED',
        message: 'The token in tokenInfo.feeTokenAddress is not accepted on this chain.',
        field: 'tokenInfo.feeTokenAddress',
      });
    }
    draft.token = token.address;
    return accept({ token });
  },
);
