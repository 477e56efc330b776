import { z } from 'zod';
import { afterType } from '../fields/form.ts';
import { maxTokens } from '../limits.ts';
import { quantity } from './field-forms.ts';

const text = z.string({ error: 'must be a string' });

function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const WebhookDataSchema = z
  .custom<Record<string, unknown>>(isJsonObject, { error: 'must be an object' })
  .meta({ type: 'object', description: 'Passed through to the webhooks; may be empty.' });
export type WebhookData = z.infer<typeof WebhookDataSchema>;

const ticket = text
  .nullish()
  .describe('A signed JWT of the application: for which user, and for what, the operation is sponsored.');

export const SponsorshipInfoSchema = z.object(
  {
    webhookData: WebhookDataSchema.nullish(),
    ticket: ticket.describe('Same as `ticket` of the context.'),
    smartAccountInfo: z
      .object(
        {
          name: text.describe('Type of smart account, e.g. `BICONOMY`, `INFINITISM` or `SAFE`.'),
          version: text.describe('Its version, e.g. `2.0.0`.'),
        },
        { error: 'must be an object' },
      )
      .nullish(),
  },
  { error: 'must be an object' },
);
export type SponsorshipInfo = z.infer<typeof SponsorshipInfoSchema>;

export const TokenInfoSchema = z.object(
  {
    preferredToken: text.nullish().describe('Address of the preferred token; empty for none.'),
    tokenList: z
      .array(text, { error: 'must be an array' })
      .check(afterType(z.maxLength(maxTokens, { error: `must have at most ${maxTokens} elements` })))
      .nullish()
      .describe('Addresses of tokens to quote. Empty: all of the chain’s tokens.'),
    feeTokenAddress: text.nullish().describe('The token that pays, for `pm_sponsorUserOperation`.'),
  },
  { error: 'must be an object' },
);
export type TokenInfo = z.infer<typeof TokenInfoSchema>;

/** A permit of EIP-2612. Numbers have the forms of a user operation: hex, decimal text, or a JSON number. */
export const TokenPermitSchema = z.object(
  {
    value: quantity.describe('Base units of the token that the paymaster contract may collect.'),
    deadline: quantity.describe('Unix seconds.'),
    signature: text
      .nullish()
      .describe('Hex. 65 bytes from the sender’s key, or what the sender’s code accepts (ERC-1271).'),
  },
  { error: 'must be an object' },
);
export type TokenPermit = z.infer<typeof TokenPermitSchema>;

/** Who pays. `SPONSORSHIP` and Arka's `sponsor` are aliases of `SPONSORED`, Arka's `erc20` of `ERC20`. */
export const SponsorshipModeSchema = z.enum(['SPONSORED', 'SPONSORSHIP', 'sponsor', 'ERC20', 'erc20'], {
  error: 'must be SPONSORED or ERC20',
});
export type SponsorshipModeName = z.infer<typeof SponsorshipModeSchema>;

/** What both methods' `params[1]` have in common (interface 4.5). `null` counts as absent, other fields are ignored. */
export const sponsorshipContextShape = {
  ticket,
  calculateGasLimits: z
    .boolean({ error: 'must be a boolean value' })
    .nullish()
    .describe('True (the default): the service estimates the gas limits. False: it signs the operation’s own limits.'),
  expiryDuration: z
    .number({ error: 'must be a number' })
    .nullish()
    .describe(
      'Requested lifetime of the signature or quote in seconds, rounded down. Refused outside the bounds of the operator and the policy; in token mode, a longer one is shortened to the maximum. Absent: 300, unless the operator sets another default.',
    ),
  policyId: text.nullish().describe('Id of the policy that should decide. Absent or empty: the default policy.'),
  sponsorshipInfo: SponsorshipInfoSchema.nullish().describe('Mandatory for SPONSORED.'),
  tokenInfo: TokenInfoSchema.nullish().describe('Mandatory for ERC20.'),
  permit: TokenPermitSchema.nullish().describe(
    'For ERC20: a permit (EIP-2612) that the sender signed instead of an approval. Stubs and quotes fill in missing fields.',
  ),
} as const;
