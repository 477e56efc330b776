import { address, listMessage, listOf, request, text, within } from '../../base/message-schema.ts';
import { RelayedUserOperationSchema, RelayTermsSchema } from '../chain-config.ts';
import { LimitLevelSchema, LimitUseSchema } from '../limit-use.ts';
import {
  FinalPaymasterDataSchema,
  PaymasterDataRequestSchema,
  PaymasterDescriptionSchema,
  PaymasterStubSchema,
  paymasterKey,
  SponsoringPolicySchema,
  SupportedTokenSchema,
  TokenRateQuoteSchema,
} from '../paymaster-data.ts';
import { FeeQuoteOrDataSchema, SignedPaymasterDataSchema, SponsorshipRequestSchema } from '../sponsorship.ts';
import { AllowanceSchema } from '../tickets.ts';
import { RawUserOperationSchema } from '../user-operation.ts';
import type { CoreMethods } from './core-methods.ts';

/** Requests of clients to a paymaster over JSON-RPC. */
export const sponsorshipOperations = {
  /** `pm_getFeeQuoteOrData` (interface 4.5). */
  getFeeQuoteOrData: { input: within('request', SponsorshipRequestSchema), value: FeeQuoteOrDataSchema },
  /** `pm_sponsorUserOperation` in the interface's form: both modes, `mode` required. */
  sponsorUserOperation: { input: within('request', SponsorshipRequestSchema), value: SignedPaymasterDataSchema },
  /**
   * `pm_getPaymasterStubData` (ERC-7677). Refuses what can already be refused; calls no webhook, holds and signs nothing.
   */
  getPaymasterStubData: { input: within('request', PaymasterDataRequestSchema), value: PaymasterStubSchema },
  /**
   * `pm_getPaymasterData` (ERC-7677). Signs the gas limits of the operation, or its own estimates if they are all 0 and
   * `calculateGasLimits` is true.
   */
  getPaymasterData: { input: within('request', PaymasterDataRequestSchema), value: FinalPaymasterDataSchema },
  /**
   * `eth_sendUserOperation` of an operation without fees and paymaster that its account has signed: holds its maximum cost
   * and sends it to the operator's bundler.
   */
  relayUserOperation: { input: within('request', PaymasterDataRequestSchema), value: RelayedUserOperationSchema },
  /**
   * `tollfree_prepareRelay`: gas limits with which an operation would be relayed now. Calls no webhook and holds nothing.
   */
  prepareRelay: { input: within('request', PaymasterDataRequestSchema), value: RelayTermsSchema },
  /**
   * `pm_validateSponsorshipPolicies`: which of some policies (at most 10) would sponsor the operation now, assuming
   * estimated limits and approving webhooks. Holds, signs and records nothing.
   */
  validatePolicies: {
    input: request({
      ...paymasterKey,

      /** Absent is read as an operation without fields. */
      userOperation: RawUserOperationSchema.default({}),

      /** Address of the EntryPoint, as sent. It must be the paymaster's own. */
      entryPoint: text,

      /** At most 10. */
      policyIds: listOf(text),
    }),
    value: listMessage('SponsoringPolicyList', 'policies', SponsoringPolicySchema),
  },
  /** `pimlico_getTokenQuotes`: tokens that are not accepted, or have no price now, are left out. */
  quoteTokenRates: {
    input: request({
      ...paymasterKey,
      /** Address of the EntryPoint, as sent. It must be the paymaster's own. */
      entryPoint: text,
      /** Addresses, as sent. */
      tokens: listOf(text),
    }),
    value: listMessage('TokenRateQuoteList', 'quotes', TokenRateQuoteSchema),
  },
  /** `tollfree_getAllowance`: what is left in each limit for a ticket, a sender or both; at least one is required. */
  getAllowance: {
    input: request({
      ...paymasterKey,

      /** A signed JWT that the user has from the application, as sent. */
      ticket: text.exactOptional(),

      /** Address of an account, as sent. */
      sender: text.exactOptional(),

      /** Chooses a policy. Absent: the default one. */
      policyId: text.exactOptional(),
    }),
    value: AllowanceSchema,
  },
  /** The tokens a paymaster accepts; none for one that only sponsors. */
  listSupportedTokens: {
    input: request({ ...paymasterKey }),
    value: listMessage('SupportedTokenList', 'tokens', SupportedTokenSchema),
  },
  /** Addresses of the EntryPoints a paymaster works with. */
  listEntryPoints: {
    input: request({ ...paymasterKey }),
    value: listMessage('StringList', 'values', address),
  },
  /** `pm_supportedERC20Tokens`: name, tokens with their prices, and a stub, before there is an operation. */
  describePaymaster: {
    input: request({
      ...paymasterKey,
      /** Address of the EntryPoint, as sent. It must be the paymaster's own. */
      entryPoint: text,
    }),
    value: PaymasterDescriptionSchema,
  },
  /**
   * Counts what a gateway has let through under limits that apply to all gateways together, and returns the level of each,
   * in the order of `uses` (at most 1,000).
   */
  shareLimits: {
    input: request({
      /** At most 1,000. */
      uses: listOf(LimitUseSchema),
    }),
    value: listMessage('LimitLevels', 'levels', LimitLevelSchema),
  },
} as const satisfies CoreMethods;
