import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { commonErrorResponses, ErrorEnvelopeSchema, envelopeWith } from './envelope.ts';
import { managementErrors } from './errors.ts';
import { afterType } from './fields/after-type.ts';
import { PaymasterHeadersSchema } from './headers.ts';
import { maxIdLength, maxSignatureLength } from './limits.ts';
import { PaymasterSchema } from './paymaster.ts';
import { fundingWalletUpdate, needs, withApiKey } from './route-metadata.ts';
import { addressField, choiceField, requestBody, textField } from './text-field.ts';

export const FundingMessageSchema = z.object({
  fundingMessage: z
    .string()
    .describe(
      'The future funding wallet signs exactly this text (EIP-191). A contract wallet signs on the paymaster’s chain.',
    ),
});
export type FundingMessage = z.infer<typeof FundingMessageSchema>;

export const SetFundingWalletRequestSchema = requestBody({
  paymasterId: textField('paymasterId', maxIdLength),
  type: choiceField('type', ['paymasterFundingId']),
  signature: z
    .string({ error: 'signature must be a string' })
    .check(afterType(z.maxLength(maxSignatureLength, { error: 'Invalid signature' }))),
  address: addressField('address').describe('The wallet that signed.'),
});
export type SetFundingWalletRequest = z.infer<typeof SetFundingWalletRequestSchema>;

/** Funding wallet of a sponsorship paymaster (interface 4.4). */
export const fundingRouter = initContract().router({
  createMessage: {
    method: 'GET',
    path: '/funding-message/:paymasterId',
    summary: 'Get the message to sign with the key of the funding wallet',
    headers: PaymasterHeadersSchema,
    metadata: needs(['funds'], withApiKey('none', managementErrors.paymasterNotFound)),
    responses: {
      ...commonErrorResponses,
      200: envelopeWith('Funding message sent', FundingMessageSchema),
      404: ErrorEnvelopeSchema,
    },
  },
  setWallet: {
    method: 'PATCH',
    path: '/paymaster',
    summary: 'Set the funding wallet',
    headers: PaymasterHeadersSchema,
    body: SetFundingWalletRequestSchema,
    metadata: needs(['funds'], fundingWalletUpdate),
    responses: {
      ...commonErrorResponses,
      200: envelopeWith('Paymaster updated successfully', PaymasterSchema),
      404: ErrorEnvelopeSchema,
    },
  },
});
