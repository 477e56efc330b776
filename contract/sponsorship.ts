import { z } from 'zod';
import { ExplanationSchema } from './decision-fields.ts';
import { managementErrors } from './errors.ts';
import { exactly } from './fields/exactly.ts';
import { maxIdLength, maxKeyRuleLength } from './limits.ts';
import { manageOperation } from './operation.ts';
import { type PmGetFeeQuoteOrDataParams, pmGetFeeQuoteOrData } from './rpc/pm-get-fee-quote-or-data.ts';
import {
  type PmGetPaymasterDataParams,
  type PmGetPaymasterStubDataParams,
  pmGetPaymasterData,
  pmGetPaymasterStubData,
} from './rpc/pm-get-paymaster-data.ts';
import { type PmSponsorUserOperationParams, pmSponsorUserOperation } from './rpc/pm-sponsor-user-operation.ts';
import { textField } from './text-field.ts';

/** RPC methods that can be explained. */
export const explainableMethods = [
  pmGetFeeQuoteOrData.method,
  pmSponsorUserOperation.method,
  pmGetPaymasterStubData.method,
  pmGetPaymasterData.method,
] as const;

/** The method's schema checks `params`; the gateway knows it. */
export const ExplainSponsorshipRequestSchema = exactly({
  params: z
    .array(z.unknown(), { error: 'params must be an array' })
    .describe('The `params` of the method, exactly as sent to the RPC endpoint.'),
  method: z
    .enum(explainableMethods, { error: `method must be one of ${explainableMethods.join(', ')}` })
    .optional()
    .describe('`pm_getFeeQuoteOrData` by default; `pm_sponsorUserOperation` in the variant with an object.'),
  askWebhooks: z
    .boolean({ error: 'askWebhooks must be a boolean value' })
    .optional()
    .describe('True: call the webhooks. False (the default): assume that they agree.'),
  apiKeyId: textField('apiKeyId', maxIdLength)
    .optional()
    .describe('Explain for the user of this apiKey. Absent: the paymaster’s own apiKey.'),
  origin: textField('origin', maxKeyRuleLength)
    .optional()
    .describe('Explain for this origin, as a browser sends it. Absent: assumed to be allowed.'),
  address: textField('address', maxKeyRuleLength)
    .optional()
    .describe('Explain for this IP address. Absent: assumed to be allowed.'),
});

type AskedFrom = 'askWebhooks' | 'apiKeyId' | 'origin' | 'address';

/** A request to explain a method's answer. */
export type ExplainSponsorshipRequest = Partial<Pick<z.infer<typeof ExplainSponsorshipRequestSchema>, AskedFrom>> &
  (
    | { readonly method?: typeof pmGetFeeQuoteOrData.method | undefined; readonly params: PmGetFeeQuoteOrDataParams }
    | { readonly method: typeof pmSponsorUserOperation.method; readonly params: PmSponsorUserOperationParams }
    | { readonly method: typeof pmGetPaymasterStubData.method; readonly params: PmGetPaymasterStubDataParams }
    | { readonly method: typeof pmGetPaymasterData.method; readonly params: PmGetPaymasterDataParams }
  );

/** Explanations of how a request would be answered now. */
export const explainOperations = {
  /**
   * How the service would answer a request now, and why, in the order of the rules. Nothing is held or signed. It is explained
   * for the paymaster's own apiKey, or for the one with an `apiKeyId`. `params` are those of the RPC method:
   * `pm_getFeeQuoteOrData` if `method` is absent.
   */
  explain: manageOperation('explainSponsorship', {
    method: 'POST',
    path: '/sponsorship/explain',
    summary: 'Explain how a request would be answered now; nothing is held or signed',
    credentials: 'paymaster',
    body: ExplainSponsorshipRequestSchema,
    bodyLimit: 'rpc',
    message: 'Sponsorship explained',
    data: ExplanationSchema,
    errors: [managementErrors.paymasterNotFound],
    repeatable: true,
  }),
} as const;
