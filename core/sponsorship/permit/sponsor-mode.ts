import type { Address } from 'viem';
import { longestValidity } from '../../domain/core-config.ts';
import { accept, type Result, refuse } from '../../domain/result/result.ts';
import type { SponsorProfile } from '../../paymasters/sponsor-profile.ts';
import { readLifetime } from '../identify/field-readers.ts';
import type { Identified } from '../identify/identify.ts';
import { type Asked, noted, notedIfRefused, type Step } from '../run/steps.ts';

/** Whose gas tank pays. */
export type WithFundingWallet = { readonly fundingWallet: Address };

/** Starts mode `SPONSORED`. Some contracts only support tokens. */
export const checkSponsors: Step<Asked & Identified, object> = noted(
  { rule: 'mode', finding: ['mode', 'SPONSORED'] },
  ({ contract, draft }) => {
    draft.mode = 'SPONSORED';
    if (contract.family.modes.includes('SPONSORED')) return accept({});
    return refuse({
      reason: 'INVALID_PARAMS',
      message: `mode must be ERC20: paymaster version ${contract.version} does not sponsor; it only accepts tokens.`,
      field: 'mode',
    });
  },
);

/** Finds whose gas tank pays for the sponsorship. */
export const requireFundingWallet: Step<Asked & Identified, WithFundingWallet> = noted(
  { rule: 'funding-wallet', finding: ['funding-wallet'] },
  ({ profile }) => {
    const wallet = findFundingWallet(profile);
    return wallet.ok ? accept({ fundingWallet: wallet.value }) : wallet;
  },
);

/** The paymaster's funding wallet; `INSUFFICIENT_FUNDS` while it has none. */
export function findFundingWallet({ paymaster }: SponsorProfile): Result<Address> {
  if (paymaster.fundingWallet !== undefined) return accept(paymaster.fundingWallet);
  return refuse({
    reason: 'INSUFFICIENT_FUNDS',
    message: 'The gas tank is empty: this paymaster has no funding wallet yet.',
  });
}

/** The lifetime of the signature or quote, and its maximum, in seconds. */
export type Lifetime = {
  readonly lifetimeSeconds: number;
  readonly longestSeconds: number;
  /** It is longer than the default maximum. */
  readonly lastsLong: boolean;
};

const seen = { rule: 'lifetime', finding: ['lifetime'] } as const;

/** The client's request, which must be within the bounds of the policy and the operator, where the application pays. */
export const readSignatureLifetime: Step<Asked & Identified, Lifetime> = notedIfRefused(seen, (request) => {
  const longestSeconds = longestOf(request, longestValidity(request.parts.validity));
  return read(request, longestSeconds, request.context.expiryDuration);
});

/**
 * Token mode: never longer than the operator's general maximum, since a rate that holds for a day would be a free option. A
 * longer request gets that maximum, which the answer states: `@biconomy/abstractjs` asks for 6000 seconds by itself.
 */
export const readTokenLifetime: Step<Asked & Identified, Lifetime> = notedIfRefused(seen, (request) => {
  const longestSeconds = longestOf(request, request.parts.validity.maxSeconds);
  const { expiryDuration: wish } = request.context;
  return read(request, longestSeconds, wish === undefined ? undefined : Math.min(wish, longestSeconds));
});

/** The longest lifetime that policy and operator allow, in seconds. */
function longestOf({ parts: { validity }, profile }: Asked & Identified, mostSeconds: number): number {
  const { maxValiditySeconds = validity.maxSeconds } = profile.policy;
  return Math.max(Math.min(maxValiditySeconds, mostSeconds), validity.minSeconds);
}

function read({ parts: { validity } }: Asked, longestSeconds: number, wish: number | undefined): Result<Lifetime> {
  const defaultSeconds = Math.min(validity.defaultSeconds, longestSeconds);
  const lifetime = readLifetime(wish, { ...validity, defaultSeconds, maxSeconds: longestSeconds });
  if (!lifetime.ok) return lifetime;
  const lifetimeSeconds = lifetime.value;
  return accept({ lifetimeSeconds, longestSeconds, lastsLong: lifetimeSeconds > validity.maxSeconds });
}
