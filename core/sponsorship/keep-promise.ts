import { isHex } from 'viem';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import { wholePercent } from '../domain/user-share.ts';
import { trailingData } from '../evm/entry-point/paymaster-signature.ts';
import type {
  Grant,
  PaymasterContractFamily,
  PromisedTerms,
  SponsoredGrant,
  TokenGrant,
} from '../evm/paymaster-contracts/family/family.ts';
import type { Granted } from './cost.ts';
import { nameOfPromise, type Parallel } from './grant-sponsorship.ts';
import type { Identified } from './identify/identify.ts';
import type { ReadOperation } from './identify/read-user-operation.ts';
import { type Asked, notedIfRefused, type Step, type UserPays } from './run/steps.ts';
import { quoteKey } from './tokens/keep-quote.ts';

type Needed<G extends Grant> = Asked &
  Identified &
  ReadOperation &
  Parallel &
  Partial<UserPays> & { readonly grant: G };

const seen = { rule: 'quote', finding: ['promise'] } as const;

/** Grants what a stub has promised, if both sign in parallel: the account may have signed it by now. */
export const keepSponsorPromise: Step<Needed<SponsoredGrant>, { readonly grant: SponsoredGrant }> = notedIfRefused(
  seen,
  (request: Needed<SponsoredGrant>) => keep(request),
);
/** Grants what a stub in token mode has promised, its rate too, if both sign in parallel. */
export const keepTokenPromise: Step<Needed<TokenGrant>, { readonly grant: TokenGrant }> = notedIfRefused(
  seen,
  (request: Needed<TokenGrant>) => keep(request),
);

async function keep<G extends Grant>(request: Needed<G>): Promise<Result<{ readonly grant: G }>> {
  const { parallel, grant, contract } = request;
  if (parallel === undefined) return accept({ grant });
  if (parallel.promised === undefined) return accept({ grant: { ...grant, signatureTrails: true } });
  const terms = await findPromise(request, contract.family, parallel.promised);
  // A current grant may end earlier than the promise, e.g. because of the ticket's expiry.
  if (terms === undefined || !isOfSameMoney(terms, grant) || terms.validUntil > grant.validUntil)
    return refuse(notPromised);
  return accept({ grant: { ...grant, ...terms, signatureTrails: true } });
}

/** Whether both have the same payer and token, for which this request was checked. */
function isOfSameMoney(terms: PromisedTerms, grant: Grant): boolean {
  if (terms.mode === 'SPONSORED' || grant.mode === 'SPONSORED') return terms.mode === grant.mode;
  return terms.token === grant.token;
}

/** The still valid terms that a stub promised for this operation, from any process. */
async function findPromise(
  request: Needed<Grant>,
  family: PaymasterContractFamily,
  promised: string,
): Promise<PromisedTerms | undefined> {
  if (!isHex(promised) || promised.length % 2 !== 0) return undefined;
  const given = await request.parts.quotes.find(quoteKey(request, request.operation, nameOfPromise(request, promised)));
  // With another share than decided now, the rate differs too.
  const isSame = given?.userPercent === (request.userPercent ?? wholePercent);
  return isSame ? family.readPromise?.(promised) : undefined;
}

type Final = Asked & Identified & ReadOperation & Parallel & Granted;

/** Checks that the data to sign equals, byte for byte, what the account may have signed already. */
export const checkPromise: Step<Final, object> = notedIfRefused(seen, (request: Final) => {
  const { parallel, contract, operation, grant, givenGas } = request;
  if (parallel?.promised === undefined) return accept({});
  for (const [field, limit] of Object.entries(operation.gas)) {
    if (givenGas[field as keyof typeof givenGas] === limit) continue;
    return refuse({
      reason: 'INVALID_PARAMS',
      message: `${field} must be ${limit} and must be signed with that value. It cannot change because the account signs in parallel.`,
      field,
    });
  }
  const data = trailingData(contract.family.stub(contract.location, operation, grant));
  return data?.paymasterData === parallel.promised ? accept({}) : refuse(notPromised);
});

const notPromised = {
  reason: 'INVALID_PARAMS',
  message:
    'paymasterData differs from the data that pm_getPaymasterStubData promised to sign for this operation, or the promise has expired. Request a new stub, or leave paymasterData out.',
  field: 'paymasterData',
} as const;
