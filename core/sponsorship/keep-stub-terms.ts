import { isHex } from 'viem';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import { wholePercent } from '../domain/user-share.ts';
import { trailingData } from '../evm/entry-point/paymaster-signature.ts';
import type {
  PaymasterContractFamily,
  SignedTerms,
  SponsoredTerms,
  StubTerms,
  TokenTerms,
} from '../evm/paymaster-contracts/family/family.ts';
import type { WithSignedTerms } from './cost.ts';
import type { Identified } from './identify/identify.ts';
import type { ReadOperation } from './identify/read-user-operation.ts';
import { type Asked, notedIfRefused, type Step, type UserPays } from './run/steps.ts';
import { nameOfStubTerms, type Parallel } from './sponsored-terms.ts';
import { quoteKey } from './tokens/keep-quote.ts';

type Needed<G extends SignedTerms> = Asked &
  Identified &
  ReadOperation &
  Parallel &
  Partial<UserPays> & { readonly signedTerms: G };

const seen = { rule: 'quote', finding: ['promise'] } as const;

/** Keeps to the terms of the stub, if both sign in parallel: the account may have signed them by now. */
export const keepStubTerms: Step<Needed<SponsoredTerms>, { readonly signedTerms: SponsoredTerms }> = notedIfRefused(
  seen,
  (request: Needed<SponsoredTerms>) => keep(request),
);
/** Keeps to the terms of a stub in token mode, its rate too, if both sign in parallel. */
export const keepTokenStubTerms: Step<Needed<TokenTerms>, { readonly signedTerms: TokenTerms }> = notedIfRefused(
  seen,
  (request: Needed<TokenTerms>) => keep(request),
);

async function keep<G extends SignedTerms>(request: Needed<G>): Promise<Result<{ readonly signedTerms: G }>> {
  const { parallel, signedTerms, contract } = request;
  if (parallel === undefined) return accept({ signedTerms });
  if (parallel.stubData === undefined) return accept({ signedTerms: { ...signedTerms, signatureTrails: true } });
  const terms = await findStubTerms(request, contract.family, parallel.stubData);
  // Current terms may end earlier than the stub's, e.g. because of the ticket's expiry.
  if (terms === undefined || !isOfSameMoney(terms, signedTerms) || terms.validUntil > signedTerms.validUntil)
    return refuse(notOfStub);
  return accept({ signedTerms: { ...signedTerms, ...terms, signatureTrails: true } });
}

/** Whether both have the same payer and token, for which this request was checked. */
function isOfSameMoney(terms: StubTerms, signedTerms: SignedTerms): boolean {
  if (terms.mode === 'SPONSORED' || signedTerms.mode === 'SPONSORED') return terms.mode === signedTerms.mode;
  return terms.token === signedTerms.token;
}

/** The still valid terms of a stub for this operation, from any process. */
async function findStubTerms(
  request: Needed<SignedTerms>,
  family: PaymasterContractFamily,
  stubData: string,
): Promise<StubTerms | undefined> {
  if (!isHex(stubData) || stubData.length % 2 !== 0) return undefined;
  const given = await request.parts.quotes.find(
    quoteKey(request, request.operation, nameOfStubTerms(request, stubData)),
  );
  // With another share than decided now, the rate differs too.
  const isSame = given?.userPercent === (request.userPercent ?? wholePercent);
  return isSame ? family.readStubTerms?.(stubData) : undefined;
}

type Final = Asked & Identified & ReadOperation & Parallel & WithSignedTerms;

/** Checks that the data to sign equals, byte for byte, what the account may have signed already. */
export const checkStubTerms: Step<Final, object> = notedIfRefused(seen, (request: Final) => {
  const { parallel, contract, operation, signedTerms, givenGas } = request;
  if (parallel?.stubData === undefined) return accept({});
  for (const [field, limit] of Object.entries(operation.gas)) {
    if (givenGas[field as keyof typeof givenGas] === limit) continue;
    return refuse({
      reason: 'INVALID_PARAMS',
      message: `${field} must be ${limit} and must be signed with that value. It cannot change because the account signs in parallel.`,
      field,
    });
  }
  const data = trailingData(contract.family.stub(contract.location, operation, signedTerms));
  return data?.paymasterData === parallel.stubData ? accept({}) : refuse(notOfStub);
});

const notOfStub = {
  reason: 'INVALID_PARAMS',
  message:
    'paymasterData differs from the data that pm_getPaymasterStubData promised to sign for this operation, or the promise has expired. Request a new stub, or leave paymasterData out.',
  field: 'paymasterData',
} as const;
