import { z } from 'zod';
import { signerSchema } from './signer-schema.ts';
import { refusal, weiAmountSchema } from './value-schemas.ts';

/** Compares the amounts only if both are valid. */
const ruleSchema = z
  .strictObject({ below: weiAmountSchema, to: weiAmountSchema })
  .refine(({ below, to }) => below > 0n && below < to, 'must have below above 0, and to above below');

/** Its transactions require a local key: a signer backend only signs messages. */
const walletSchema = signerSchema.refine(
  ({ keystoreFile, standIns }) => keystoreFile !== undefined && standIns === undefined,
  refusal('must be a keystoreFile without standIns'),
);

/** The hot wallet of a chain, and what it tops up. */
export const treasurySchema = z
  .strictObject({
    wallet: walletSchema,
    maxPerDay: weiAmountSchema,
    executors: ruleSchema.optional(),
    deposits: ruleSchema.optional(),
    authorizations: z
      .strictObject({
        maxPerDay: weiAmountSchema,
        perAccountPerDay: z.int().min(1).max(1_000).default(3),
      })
      .optional(),
  })
  .refine(
    ({ executors, deposits, authorizations }) => [executors, deposits, authorizations].some((one) => one !== undefined),
    refusal('must have executors, deposits or authorizations'),
  )
  .refine(
    ({ authorizations, maxPerDay }) => authorizations === undefined || authorizations.maxPerDay < maxPerDay,
    'must have maxPerDay above authorizations.maxPerDay: refills need the rest',
  )
  .refine(
    ({ executors, deposits, maxPerDay }) =>
      [executors, deposits].every((rule) => rule === undefined || rule.to < maxPerDay),
    'must have maxPerDay above each to: an empty balance is filled in one transfer',
  );

export type TreasurySection = z.output<typeof treasurySchema>;
