import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { commonErrorResponses, envelopeWith } from './envelope.ts';
import { AccountHeadersSchema } from './headers.ts';
import { maxIdLength } from './limits.ts';
import { paymasterCreate, paymasterList } from './route-metadata.ts';
import { choiceField, nameField, requestBody, textField } from './text-field.ts';

export const PaymasterSchema = z.object({
  name: z.string(),
  chainId: z.int(),
  apiKey: z.string().describe('`<prefix>.<uuid>`: identifies the DApp, also in the address of its RPC endpoint.'),
  paymasterId: z.string(),
});
export type PaymasterItem = z.infer<typeof PaymasterSchema>;

export const CreatePaymasterRequestSchema = requestBody({
  name: nameField('name').describe('Unique per account and chain id.'),
  type: choiceField('type', ['HYBRID']),
  chainId: z
    .int({ error: 'chainId must be a number' })
    .positive({ error: 'chainId must be a number' })
    .max(Number.MAX_SAFE_INTEGER, { error: 'chainId must be a number' }),
  version: textField('version', maxIdLength).describe(
    'Paymaster contract to use; the operator configures which there are.',
  ),
});
export type CreatePaymasterRequest = z.infer<typeof CreatePaymasterRequestSchema>;

/** Paymasters, also called DApps (interface 4.2). */
export const paymasterRouter = initContract().router({
  list: {
    method: 'GET',
    path: '/paymaster',
    summary: 'List the account’s paymasters',
    headers: AccountHeadersSchema,
    metadata: paymasterList,
    responses: { ...commonErrorResponses, 200: envelopeWith('DApp list fetched', z.array(PaymasterSchema)) },
  },
  create: {
    method: 'POST',
    path: '/paymaster',
    summary: 'Register a paymaster',
    headers: AccountHeadersSchema,
    body: CreatePaymasterRequestSchema,
    metadata: paymasterCreate,
    responses: {
      ...commonErrorResponses,
      200: envelopeWith('DApp registered successfully', PaymasterSchema),
    },
  },
});
