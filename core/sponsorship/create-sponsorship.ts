import type { Core } from '../domain/core.ts';
import type { PaymasterStub } from '../domain/paymaster-data.ts';
import { accept } from '../domain/result/result.ts';
import type { SignedStub } from './answer-paymaster-data.ts';
import { answers } from './answers.ts';
import { createTokenInformation } from './create-token-information.ts';
import { decide } from './decide.ts';
import type { SponsorshipParts } from './run/sponsorship-parts.ts';

/** The sponsorship side of `Core`. */
type Sponsorship = Pick<
  Core,
  | 'getFeeQuoteOrData'
  | 'sponsorUserOperation'
  | 'getPaymasterStubData'
  | 'getPaymasterData'
  | 'relayUserOperation'
  | 'prepareRelay'
> &
  ReturnType<typeof createTokenInformation>;

/** Answers the methods about an operation; every answer has a decision's id. */
export function createSponsorship(parts: SponsorshipParts): Sponsorship {
  return {
    ...createTokenInformation(parts),
    getFeeQuoteOrData: (request) => decide(parts, { method: 'getFeeQuoteOrData', request }, answers.getFeeQuoteOrData),
    sponsorUserOperation: (request) =>
      decide(parts, { method: 'sponsorUserOperation', request }, answers.sponsorUserOperation),
    getPaymasterStubData: async (request) => {
      const decided = await decide(parts, { method: 'getPaymasterStubData', request }, answers.getPaymasterStubData);
      if (!decided.ok) return decided;
      return accept(decided.value.kind === 'stub' ? decided.value : stubOf(decided.value));
    },
    prepareRelay: async (request) => {
      const decided = await decide(parts, { method: 'prepareRelay', request }, answers.prepareRelay);
      if (!decided.ok) return decided;
      const { kind: _, ...terms } = decided.value;
      return accept(terms);
    },
    relayUserOperation: async (request) => {
      const decided = await decide(parts, { method: 'relayUserOperation', request }, answers.relayUserOperation);
      if (!decided.ok) return decided;
      const { kind: _, ...relayed } = decided.value;
      return accept(relayed);
    },
    getPaymasterData: async (request) => {
      const decided = await decide(parts, { method: 'getPaymasterData', request }, answers.getPaymasterData);
      if (!decided.ok) return decided;
      const { gasEstimated, ...signed } = decided.value;
      return accept({ signed, gasEstimated });
    },
  };
}

/** What was signed in answer to a question for a stub, in the form of one. */
function stubOf(signed: SignedStub & Pick<PaymasterStub, 'decisionId'>): PaymasterStub {
  const { gas, ...fields } = signed;
  const { paymasterVerificationGasLimit, paymasterPostOpGasLimit } = gas;
  return { ...fields, kind: 'stub', paymasterVerificationGasLimit, paymasterPostOpGasLimit };
}
