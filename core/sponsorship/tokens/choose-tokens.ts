import { omitAbsent } from '@tollfree/contract/omit-absent';
import { isAbsent } from '@tollfree/contract/rpc/field-forms';
import type { Address } from 'viem';
import type { TokenConfig } from '../../domain/core-config.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { SponsorshipContext } from '../../domain/sponsorship.ts';
import { decideStage } from '../../policies/rules/decide-stage.ts';
import { takesToken } from '../../policies/rules/rule-on-token.ts';
import type { TokenRates } from '../../quotes/token-rates.ts';
import type { Identified } from '../identify/identify.ts';
import type { ReadOperation } from '../identify/read-user-operation.ts';
import type { Ticketed } from '../permit/check-ticket.ts';
import { followRulings, type StageDecided } from '../permit/decide-request.ts';
import type { PaidCalls } from '../permit/decode-calls.ts';
import { type Asked, notedIfRefused, type Step } from '../run/steps.ts';

type Needed = Asked & Identified & ReadOperation & Ticketed & PaidCalls;

/** Decides the rules on the request that bind token mode, for an operation that the user pays for in a chosen token. */
export const decideTokenRequest: Step<Needed & FeeToken, StageDecided<'request'>> = (request) =>
  decide(request, request.token.address);

/** Decides the rules on the request that bind token mode, before a token is chosen. */
export const decideQuoteRequest: Step<Needed, StageDecided<'request'>> = (request) => decide(request, undefined);

function decide(
  { draft, profile, operation, ticket, paidCalls }: Needed,
  token: Address | undefined,
): Result<StageDecided<'request'>> {
  const { policy, contracts, callRules, calledLimits } = profile;
  const { sender, maxFeePerGas } = operation;
  const calls = (paidCalls?.judged ?? []).map(({ value, data, ...call }) => ({ content: { value, data }, ...call }));
  const deploysOnly = paidCalls?.deploysOnly ?? false;
  const asked = { calls, deploysOnly, sender, maxFeePerGas, decidedAt: draft.decidedAt };
  const facts = {
    policy,
    contracts,
    callRules,
    calledLimits,
    ...asked,
    ...omitAbsent({ token, ticketUser: ticket?.user }),
  };
  return followRulings(draft, decideStage('request', facts, 'ERC20'), { requestDecided: true as const });
}

/** The tokens to quote, and the requested ones that are not accepted (as sent). */
export type ChosenTokens = {
  readonly preferred: TokenConfig | undefined;
  readonly tokens: readonly TokenConfig[];
  readonly unsupported: readonly string[];
};

/** `preferredToken` first, then `tokenList`; with neither, all accepted ones. Empty texts count as absent. */
export function chooseTokens(
  info: SponsorshipContext['tokenInfo'],
  rates: Pick<TokenRates, 'tokens' | 'find'>,
): ChosenTokens {
  const preferred = given(info?.preferredToken);
  const listed = (info?.tokenList ?? []).filter((address) => !isAbsent(address));
  const asked = [...(preferred === undefined ? [] : [preferred]), ...listed];
  if (asked.length === 0) return { preferred: undefined, tokens: rates.tokens, unsupported: [] };

  const tokens = new Set<TokenConfig>();
  const unsupported = new Set<string>();
  for (const address of asked) {
    const token = rates.find(address);
    if (token === undefined) unsupported.add(address);
    else tokens.add(token);
  }
  return {
    preferred: preferred === undefined ? undefined : rates.find(preferred),
    tokens: [...tokens],
    unsupported: [...unsupported],
  };
}

/** The token of `pm_sponsorUserOperation`: `feeTokenAddress`, or else `preferredToken`. */
export function namedFeeToken(info: SponsorshipContext['tokenInfo']): string | undefined {
  return given(info?.feeTokenAddress) ?? given(info?.preferredToken);
}

function given(address: string | undefined): string | undefined {
  return isAbsent(address) ? undefined : address;
}

/** The chain's tokens that the paymaster accepts: those of its policy, none if its contract only sponsors. */
export function takenTokens({ chain, contract, profile }: Identified): Pick<TokenRates, 'tokens' | 'find'> {
  if (!contract.family.modes.includes('ERC20')) return { tokens: [], find: () => undefined };
  const { policy } = profile;
  return {
    tokens: chain.rates.tokens.filter(({ address }) => takesToken(policy, address)),
    find: (address) => {
      const token = chain.rates.find(address);
      return token !== undefined && takesToken(policy, token.address) ? token : undefined;
    },
  };
}

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
  { rule: 'fee-token', finding: ['fee-token'] },
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
