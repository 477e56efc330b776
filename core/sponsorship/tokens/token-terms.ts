import { maxPermitSignatureBytes } from '@tollfree/contract/limits';
import { isAbsent } from '@tollfree/contract/rpc/field-forms';
import { maxUint256, size } from 'viem';
import { unixSeconds } from '../../base/time/clock.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import { shareOfRate } from '../../domain/user-share.ts';
import type { TokenPermit, TokenTerms } from '../../evm/paymaster-contracts/family/family.ts';
import { stubSignature } from '../../evm/paymaster-contracts/family/signed-fields.ts';
import { gasScheduleOf } from '../../gas/gas-schedule.ts';
import type { TokenRate } from '../../quotes/token-rates.ts';
import { FieldError, readBytes, readOptional } from '../identify/field-readers.ts';
import type { Identified } from '../identify/identify.ts';
import type { Viewed } from '../permit/check-chain.ts';
import type { Ticketed } from '../permit/check-ticket.ts';
import type { Lifetime } from '../permit/sponsor-mode.ts';
import { type Asked, noted, notedIfRefused, type Step, type UserPays } from '../run/steps.ts';
import { endWithTicket, type Window, windowOf } from '../sponsored-terms.ts';
import type { FeeToken } from './choose-tokens.ts';

/**
 * The terms of a token mode signature at this rate, or at the user's share of it. The tokens go to the paymaster's own
 * token recipient, else to the operator's.
 */
export function tokenTerms(
  {
    profile,
    chain,
    contract,
    permit,
    userPercent,
  }: Pick<Identified, 'profile' | 'contract' | 'chain'> & UserPays & Partial<GivenPermit>,
  { token, rateWithPremium }: TokenRate,
  window: Window,
): TokenTerms {
  const tokenRecipient = profile.policy.tokens?.tokenRecipient ?? contract.tokenRecipient;
  const exchangeRate = shareOfRate(rateWithPremium, userPercent);
  const prices = gasScheduleOf(chain.client);
  const signedTerms: TokenTerms = {
    mode: 'ERC20',
    ...window,
    token: token.address,
    exchangeRate,
    tokenRecipient,
    prices,
  };
  return permit === undefined ? signedTerms : { ...signedTerms, permit };
}

type Needed = Asked & Identified & Lifetime & Viewed & FeeToken & Ticketed & UserPays & GivenPermit;

/** The terms of a signature in token mode: the token at its price, from now on. */
export const toTokenTerms: Step<Needed, { readonly signedTerms: TokenTerms }> = noted(
  { rule: 'token-price', finding: ({ token, userPercent }) => ['token-price', token.symbol, userPercent] },
  async (request: Needed) => {
    const { chain, contract, token } = request;
    const rate = await chain.rates.rate(token, contract.premiumBasisPoints);
    if (!rate.ok) return rate;
    const window = tokenWindow(request);
    return window.ok ? accept({ signedTerms: tokenTerms(request, rate.value, window.value) }) : window;
  },
);

/** The window of a signature or quote in token mode, from now on: it ends with the ticket and the permit. */
export function tokenWindow(request: Asked & Identified & Lifetime & Viewed & Ticketed & GivenPermit): Result<Window> {
  const ticketed = endWithTicket(windowOf(request), request);
  return ticketed.ok ? endWithPermit(ticketed.value, request) : ticketed;
}

/** The permit of the payment. Parts missing in a stub or quote request are filled in. */
export type GivenPermit = { readonly permit: TokenPermit | undefined };

const seen = { rule: 'token-payment', finding: ['permit'] } as const;

/** Reads the permit of a request, for contracts that forward it to the token. */
export const readPermit: Step<Asked & Identified, GivenPermit> = notedIfRefused(seen, (request) => read(request));

function read({ context, contract }: Asked & Identified): Result<GivenPermit> {
  if (context.permit === undefined) return accept({ permit: undefined });
  if (contract.family.takesPermits !== true) {
    return refusePermit(
      'permit',
      `Paymaster version ${contract.version} does not support permits. Leave out permit and add an approval to the calls.`,
    );
  }
  try {
    return accept({ permit: readFields(context.permit) });
  } catch (error) {
    if (error instanceof FieldError) return refusePermit(error.field, error.message);
    throw error;
  }
}

/** Signing requires a complete permit. */
export const requireWholePermit: Step<Asked, object> = notedIfRefused(seen, ({ context: { permit } }) => {
  if (permit === undefined) return accept({});
  for (const field of ['value', 'deadline', 'signature'] as const) {
    if (isAbsent(permit[field])) return refusePermit(`permit.${field}`, `permit.${field} is missing`);
  }
  return accept({});
});

/** Limits the window of a signature to its permit's deadline: later operations could no longer be paid. */
function endWithPermit(window: Window, { permit, parts, view }: GivenPermit & Asked & Viewed): Result<Window> {
  if (permit === undefined || permit.deadline >= BigInt(window.validUntil)) return accept(window);
  const now = Math.max(unixSeconds(parts.clock), view.headTime);
  if (permit.deadline > BigInt(now)) return accept({ ...window, validUntil: Number(permit.deadline) });
  return refuse({
    reason: 'TOKEN_PAYMENT_FAILS',
    message: `The permit expired at ${permit.deadline}; it is now ${now}. Have the user sign a new one.`,
    field: 'permit.deadline',
    details: { deadline: permit.deadline.toString(), now: now.toString() },
  });
}

function readFields({ value, deadline, signature }: NonNullable<Asked['context']['permit']>): TokenPermit {
  const bytes = isAbsent(signature) ? stubSignature : readBytes('permit.signature', signature);
  if (size(bytes) > maxPermitSignatureBytes) {
    throw new FieldError('permit.signature', `must be at most ${maxPermitSignatureBytes} bytes`);
  }
  return {
    value: readOptional('permit.value', value, maxUint256) ?? maxUint256,
    deadline: readOptional('permit.deadline', deadline, maxUint256) ?? maxUint256,
    signature: bytes,
  };
}

function refusePermit(field: string, message: string): Result<never> {
  return refuse({ reason: 'INVALID_PARAMS', message, field });
}
