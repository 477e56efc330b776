import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { commonErrorResponses, ErrorEnvelopeSchema, envelopeWith } from '../envelope.ts';
import { managementErrors } from '../errors.ts';
import { afterType } from '../fields/after-type.ts';
import { AccountHeadersSchema } from '../headers.ts';
import { maxBudgetPaymasters, maxBudgets, maxIdLength, maxNameLength } from '../limits.ts';
import { must, usd } from '../policy-fields.ts';
import { needs, withAuthToken } from '../route-metadata.ts';
import { requestBody, textField } from '../text-field.ts';

/** Of the UTC calendar; weeks begin on Monday. */
export const budgetWindows = ['DAY', 'WEEK', 'MONTH', 'EVER'] as const;

const window = z
  .enum(budgetWindows, must(`must be one of ${budgetWindows.join(', ')}`))
  .describe('Of the UTC calendar; weeks begin on Monday.');

export const BudgetTermsSchema = requestBody({
  name: textField('name', maxNameLength).describe('No two budgets of an account have the same.'),
  maxUsd: usd.describe('The most in each window, in USD: `250.00`.'),
  window,
  paymasterIds: z
    .array(z.string(must('must be a string')), must('must be an array'))
    .check(
      afterType(z.minLength(1, must('must name at least one paymaster'))),
      afterType(z.maxLength(maxBudgetPaymasters, must(`must hold at most ${maxBudgetPaymasters} items`))),
    )
    .optional()
    .describe('The paymasters that share it. Absent: all of the account’s, those to come too.'),
});
export type BudgetTerms = z.infer<typeof BudgetTermsSchema>;

export const BudgetSchema = z.object({
  budgetId: z.string(),
  name: z.string(),
  maxUsd: z.string(),
  window: z.enum(budgetWindows),
  paymasterIds: z.array(z.string()).optional().describe('Absent: all of the account’s, those to come too.'),
  usedUsd: z
    .string()
    .describe(
      'Of it in this window: what is set aside for signatures that may still land, and what landed ones have cost.',
    ),
  until: z.int().optional().describe('Unix seconds at which the next window begins. Absent of one that never ends.'),
  createdAt: z.int().describe('Unix seconds.'),
  updatedAt: z.int().describe('Unix seconds.'),
});
export type BudgetItem = z.infer<typeof BudgetSchema>;

const BudgetParamsSchema = z.object({ budgetId: textField('budgetId', maxIdLength) });
const headers = AccountHeadersSchema;
const { budgetNotFound, budgetNameExists } = managementErrors;
const tooMany = { status: 400, statusCode: 400, message: `An account can have at most ${maxBudgets} budgets` } as const;

/** What paymasters of an account may sponsor together in USD, on whichever chains. */
export const budgetRouter = initContract().router({
  list: {
    method: 'GET',
    path: '/budgets',
    summary: 'List the account’s budgets, and what is used of each',
    headers,
    metadata: needs(['read'], withAuthToken('none')),
    responses: { ...commonErrorResponses, 200: envelopeWith('Budget list fetched', z.array(BudgetSchema)) },
  },
  create: {
    method: 'POST',
    path: '/budgets',
    summary: 'Set a budget, in which counts what its window has seen before',
    headers,
    body: BudgetTermsSchema,
    metadata: needs(['manage'], withAuthToken('management', budgetNameExists, tooMany)),
    responses: { ...commonErrorResponses, 200: envelopeWith('Budget created', BudgetSchema) },
  },
  replace: {
    method: 'PUT',
    path: '/budgets/:budgetId',
    summary: 'Replace a budget; what is used stays used',
    headers,
    pathParams: BudgetParamsSchema,
    body: BudgetTermsSchema,
    metadata: needs(['manage'], withAuthToken('management', budgetNotFound, budgetNameExists)),
    responses: {
      ...commonErrorResponses,
      404: ErrorEnvelopeSchema,
      200: envelopeWith('Budget replaced', BudgetSchema),
    },
  },
  delete: {
    method: 'DELETE',
    path: '/budgets/:budgetId',
    summary: 'Delete a budget',
    headers,
    pathParams: BudgetParamsSchema,
    body: initContract().noBody(),
    metadata: needs(['manage'], withAuthToken('none', budgetNotFound)),
    responses: { ...commonErrorResponses, 404: ErrorEnvelopeSchema, 200: envelopeWith('Budget deleted', BudgetSchema) },
  },
});
