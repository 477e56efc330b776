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

/** Windows follow the UTC calendar; weeks begin on Monday. */
export const budgetWindows = ['DAY', 'WEEK', 'MONTH', 'EVER'] as const;

const window = z
  .enum(budgetWindows, must(`must be one of ${budgetWindows.join(', ')}`))
  .describe('Windows follow the UTC calendar; weeks begin on Monday.');

export const BudgetTermsSchema = requestBody({
  name: textField('name', maxNameLength).describe('Unique within the account.'),
  maxUsd: usd.describe('The most in each window, in USD: `250.00`.'),
  window,
  paymasterIds: z
    .array(z.string(must('must be a string')), must('must be an array'))
    .check(
      afterType(z.minLength(1, must('must name at least one paymaster'))),
      afterType(z.maxLength(maxBudgetPaymasters, must(`must hold at most ${maxBudgetPaymasters} items`))),
    )
    .optional()
    .describe('The paymasters that share the budget. Absent: all of the account’s, including future ones.'),
});
export type BudgetTerms = z.infer<typeof BudgetTermsSchema>;

export const BudgetSchema = z.object({
  budgetId: z.string(),
  name: z.string(),
  maxUsd: z.string(),
  window: z.enum(budgetWindows),
  paymasterIds: z.array(z.string()).optional().describe('Absent: all of the account’s, including future ones.'),
  usedUsd: z
    .string()
    .describe('Used in this window: held for signatures that may still land, plus the cost of landed operations.'),
  until: z.int().optional().describe('Unix seconds when the next window begins. Absent if the window never ends.'),
  createdAt: z.int().describe('Unix seconds.'),
  updatedAt: z.int().describe('Unix seconds.'),
});
export type BudgetItem = z.infer<typeof BudgetSchema>;

const BudgetParamsSchema = z.object({ budgetId: textField('budgetId', maxIdLength) });
const headers = AccountHeadersSchema;
const { budgetNotFound, budgetNameExists } = managementErrors;
const tooMany = { status: 400, statusCode: 400, message: `An account can have at most ${maxBudgets} budgets` } as const;

/** A budget: what several paymasters of an account may sponsor together, in USD, across chains. */
export const budgetRouter = initContract().router({
  list: {
    method: 'GET',
    path: '/budgets',
    summary: 'List the account’s budgets with their usage',
    headers,
    metadata: needs(['read'], withAuthToken('none')),
    responses: { ...commonErrorResponses, 200: envelopeWith('Budget list fetched', z.array(BudgetSchema)) },
  },
  create: {
    method: 'POST',
    path: '/budgets',
    summary: 'Create a budget; earlier usage in its current window counts',
    headers,
    body: BudgetTermsSchema,
    metadata: needs(['manage'], withAuthToken('management', budgetNameExists, tooMany)),
    responses: { ...commonErrorResponses, 200: envelopeWith('Budget created', BudgetSchema) },
  },
  replace: {
    method: 'PUT',
    path: '/budgets/:budgetId',
    summary: 'Replace a budget; its usage stays',
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
