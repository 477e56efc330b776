import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { commonErrorResponses, ErrorEnvelopeSchema, envelopeWith } from './envelope.ts';
import { managementErrors } from './errors.ts';
import { PaymasterHeadersSchema } from './headers.ts';
import { maxStrayDeposits } from './limits.ts';
import { needs, withApiKey } from './route-metadata.ts';
import {
  GasTankDaySchema,
  GasTankStatementSchema,
  ListGasTankDaysQuerySchema,
  ReadGasTankStatementQuerySchema,
} from './tank/gas-tank-statement.ts';
import { pageQuery } from './text-field.ts';

const wei = z.string().regex(/^(0|[1-9]\d*)$/);

export const GasTankSchema = z.object({
  chainId: z.int(),
  contract: z.string().describe('The paymaster contract.'),
  fundingWallet: z.string().optional().describe('Absent until one is set; the tank is empty then.'),
  funded: wei.describe('All that was put in, in wei.'),
  settled: wei.describe('Paid for operations that landed, in wei.'),
  held: wei.describe('Set aside for signatures whose operations may still land, in wei.'),
  available: wei.describe('What can still be signed for, in wei.'),
  chainDeposit: wei
    .optional()
    .describe('The contract’s whole deposit at the EntryPoint, in wei. Absent while the node does not answer.'),
  daysLeft: z
    .int()
    .optional()
    .describe('Days that `available` lasts at the rate of the last seven. Absent when nothing was spent.'),
  filling: z
    .object({
      to: z.string().describe('The EntryPoint, or the contract itself where it keeps balances of its customers.'),
      call: z.string().describe('The call as a person writes it.'),
      data: z.string().describe('The same as call data.'),
      from: z
        .enum(['funding-wallet', 'anybody'])
        .describe(
          '`funding-wallet`: its own transaction straight to `to`, with no other deposit for the contract in it. ' +
            '`anybody`: it does not matter who sends it.',
        ),
    })
    .optional()
    .describe(
      'The call that fills the tank; its value is what comes in. Absent without a funding wallet, and while nothing is signed for the contract.',
    ),
  strayDeposits: z
    .array(
      z.object({
        txHash: z.string(),
        amount: wei.describe('What came in and was not credited, in wei.'),
        wayBack: z.string().describe('How it comes into the tank, or why it does not, in words.'),
      }),
    )
    .optional()
    .describe(
      'Deposits for the contract that the funding wallet sent in a way that fills no tank, largest first, ' +
        `${maxStrayDeposits} at most. Absent without any.`,
    ),
  formerTanks: z
    .array(
      z.object({
        fundingWallet: z.string(),
        left: wei.describe('Neither spent nor held, in wei.'),
        held: wei.describe('Set aside for signatures whose operations may still land, in wei.'),
      }),
    )
    .optional()
    .describe('Of the wallets that funded the paymaster before: a new wallet takes nothing over. Absent without any.'),
});
export type GasTankItem = z.infer<typeof GasTankSchema>;

export const GasTankEntrySchema = z.object({
  entryId: z.int(),
  kind: z
    .enum(['deposit', 'withdrawal', 'credit', 'debit', 'hold', 'release', 'settle', 'shortfall', 'recovery'])
    .describe(
      '`shortfall`: taken out on the chain although it was held; it stays in the tank in name until a `recovery`.',
    ),
  amount: wei.describe('In wei; `kind` says which way.'),
  createdAt: z.int().describe('Unix seconds.'),
  reason: z
    .string()
    .optional()
    .describe(
      'Of a credit or debit: what the operator gave. Of a release: that he did it, why, and what showed that he could.',
    ),
  txHash: z
    .string()
    .optional()
    .describe('Of what came from the chain, and of a credit or debit that stands for a deposit of no tank.'),
  logIndex: z.int().optional(),
  reverses: z
    .int()
    .optional()
    .describe('The `entryId` that this entry takes back, since its transaction is no longer on the chain.'),
});
export type GasTankEntryItem = z.infer<typeof GasTankEntrySchema>;

export const GasTankEntryPageSchema = z.object({
  entries: z.array(GasTankEntrySchema).describe('Newest first.'),
  nextCursor: z.string().optional().describe('The `cursor` of the next page. Absent on the last one.'),
});
export type GasTankEntryPage = z.infer<typeof GasTankEntryPageSchema>;

export const ListGasTankEntriesQuerySchema = z.object(pageQuery('Entries'));
export type ListGasTankEntriesQuery = z.infer<typeof ListGasTankEntriesQuerySchema>;

const metadata = needs(
  ['read'],
  withApiKey(
    'none',
    managementErrors.paymasterNotFound,
    managementErrors.chainIdNotSupported,
    managementErrors.paymasterVersionNotSupported,
  ),
);

/** The gas tank of a paymaster: what its funding wallet has paid in, and what became of it. */
export const gasTankRouter = initContract().router({
  read: {
    method: 'GET',
    path: '/gas-tank',
    summary: 'Read the gas tank',
    headers: PaymasterHeadersSchema,
    metadata,
    responses: {
      ...commonErrorResponses,
      200: envelopeWith('Gas tank fetched', GasTankSchema),
      404: ErrorEnvelopeSchema,
    },
  },
  listEntries: {
    method: 'GET',
    path: '/gas-tank/entries',
    summary: 'List the entries of the gas tank',
    headers: PaymasterHeadersSchema,
    query: ListGasTankEntriesQuerySchema,
    metadata,
    responses: {
      ...commonErrorResponses,
      200: envelopeWith('Gas tank entries fetched', GasTankEntryPageSchema),
      404: ErrorEnvelopeSchema,
    },
  },
  listDays: {
    method: 'GET',
    path: '/gas-tank/days',
    summary: 'List the gas tank day by day',
    headers: PaymasterHeadersSchema,
    query: ListGasTankDaysQuerySchema,
    metadata,
    responses: {
      ...commonErrorResponses,
      200: envelopeWith(
        'Gas tank days fetched',
        z.array(GasTankDaySchema).describe('The oldest first, none left out. Empty without a funding wallet.'),
      ),
      404: ErrorEnvelopeSchema,
    },
  },
  readStatement: {
    method: 'GET',
    path: '/gas-tank/statement',
    summary: 'Read what became of the gas tank in a month',
    headers: PaymasterHeadersSchema,
    query: ReadGasTankStatementQuerySchema,
    metadata,
    responses: {
      ...commonErrorResponses,
      200: envelopeWith('Gas tank statement fetched', GasTankStatementSchema),
      404: ErrorEnvelopeSchema,
    },
  },
});
