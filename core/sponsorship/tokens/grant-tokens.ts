import { accept } from '../../domain/result/result.ts';
import type { TokenGrant } from '../../evm/paymaster-contracts/family/family.ts';
import type { Identified } from '../identify/identify.ts';
import type { Viewed } from '../permit/check-chain.ts';
import type { Ticketed } from '../permit/check-ticket.ts';
import type { Lifetime } from '../permit/read-signature-lifetime.ts';
import type { Asked } from '../run/asked.ts';
import { noted } from '../run/noted.ts';
import type { Step } from '../run/steps.ts';
import { shareText, type UserPays } from '../run/user-pays.ts';
import { windowOf } from '../terms/choose-window.ts';
import { endWithTicket } from '../terms/end-with-ticket.ts';
import type { FeeToken } from './choose-fee-token.ts';
import { endWithPermit, type GivenPermit } from './read-permit.ts';
import { tokenGrant } from './token-grant.ts';

type Needed = Asked & Identified & Lifetime & Viewed & FeeToken & Ticketed & UserPays & GivenPermit;

/** The grant of a signature in token mode: the token at its price, from now on. */
export const grantTokens: Step<Needed, { readonly grant: TokenGrant }> = noted(
  { rule: 'token-price', checked: ({ token, userPercent }) => `the price of ${token.symbol}${shareText(userPercent)}` },
  async (request: Needed) => {
    const { chain, contract, token } = request;
    const rate = await chain.rates.rate(token, contract.premiumBasisPoints);
    if (!rate.ok) return rate;
    const ticketed = endWithTicket(windowOf(request), request);
    if (!ticketed.ok) return ticketed;
    const window = endWithPermit(ticketed.value, request);
    return window.ok ? accept({ grant: tokenGrant(request, rate.value, window.value) }) : window;
  },
);
