import { z } from 'zod';
import { afterType } from '../fields/after-type.ts';
import { maxTokens } from '../limits.ts';

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
  .describe('A signed JWT of the application that says for whom, and for what, is sponsored.');

export const SponsorshipInfoSchema = z.object(
  {
    webhookData: WebhookDataSchema.nullish(),
    ticket: ticket.describe('As `ticket` of the context.'),
    smartAccountInfo: z
      .object(
        {
          name: text.describe('Kind of smart account, e.g. `BICONOMY`, `INFINITISM` or `SAFE`.'),
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
      .describe('Addresses of tokens to quote; empty for all of the chain.'),
    feeTokenAddress: text.nullish().describe('The token that pays, for `pm_sponsorUserOperation`.'),
  },
  { error: 'must be an object' },
);
export type TokenInfo = z.infer<typeof TokenInfoSchema>;

/** Who pays. `SPONSORSHIP` and Arka's `sponsor` are other names for `SPONSORED`, Arka's `erc20` is one for `ERC20`. */
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
    .describe('True (the default): the service estimates the gas limits. False: it signs those of the operation.'),
  expiryDuration: z
    .number({ error: 'must be a number' })
    .nullish()
    .describe('Requested lifetime in seconds; clamped to the bounds of the operator.'),
  policyId: text.nullish().describe('The policy of the paymaster that is to decide; absent or empty, the default one.'),
  sponsorshipInfo: SponsorshipInfoSchema.nullish().describe('Mandatory for SPONSORED.'),
  tokenInfo: TokenInfoSchema.nullish().describe('Mandatory for ERC20.'),
} as const;
