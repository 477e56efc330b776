import { z } from 'zod';
import { managementErrors } from './errors.ts';
import { exactly } from './fields/exactly.ts';
import { afterType } from './fields/form.ts';
import { maxIdLength, maxSignatureLength } from './limits.ts';
import { operation } from './operation.ts';
import { PaymasterParamsSchema, PaymasterSchema } from './paymaster.ts';
import { addressField, choiceField, textField } from './text-field.ts';

export const FundingMessageSchema = z.object({
  fundingMessage: z
    .string()
    .describe(
      'The future funding wallet signs exactly this text (EIP-191). A contract wallet signs on the paymaster’s chain.',
    ),
});
export type FundingMessage = z.infer<typeof FundingMessageSchema>;

export const SetFundingWalletRequestSchema = exactly({
  paymasterId: textField('paymasterId', maxIdLength),
  type: choiceField('type', ['paymasterFundingId']),
  signature: z
    .string({ error: 'signature must be a string' })
    .check(afterType(z.maxLength(maxSignatureLength, { error: 'Invalid signature' }))),
  address: addressField('address').describe('The wallet that signed.'),
});
export type SetFundingWalletRequest = z.infer<typeof SetFundingWalletRequestSchema>;

const { userNotFound, invalidSignature, paymasterNotFound } = managementErrors;

/** Funding wallet of a sponsorship paymaster (interface 4.4). */
export const fundingOperations = {
  /**
   * A new message for the future funding wallet to sign (interface 4.4). It replaces the previous one, and works once within
   * 15 minutes.
   *
   * @example
   * const { fundingMessage } = await client.createFundingMessage({ paymasterId });
   * const signature = await wallet.signMessage({ message: fundingMessage });
   * await client.setFundingWallet({ paymasterId, signature, address: wallet.address });
   */
  createMessage: operation('createFundingMessage', {
    method: 'GET',
    path: '/funding-message/:paymasterId',
    summary: 'Get the message to sign with the key of the funding wallet',
    credentials: 'paymaster',
    scopes: ['funds'],
    pathParams: PaymasterParamsSchema,
    ignoresUnknown: true,
    message: 'Funding message sent',
    data: FundingMessageSchema,
    errors: [paymasterNotFound],
    repeatable: false,
    changes: 'funding message',
  }),
  /** Sets the funding wallet (interface 4.4). `signature` is its signature of the newest funding message. */
  setWallet: operation('setFundingWallet', {
    method: 'PATCH',
    path: '/paymaster',
    summary: 'Set the funding wallet',
    credentials: 'paymaster',
    scopes: ['funds'],
    body: SetFundingWalletRequestSchema,
    ignoresUnknown: true,
    message: 'Paymaster updated successfully',
    data: PaymasterSchema,
    errors: [invalidSignature, paymasterNotFound],
    // Unlike missing ones, wrong credentials get the answer for an unknown user.
    wrongAuthToken: userNotFound,
    wrongApiKey: userNotFound,
    repeatable: false,
    changes: 'funding wallet',
  }),
} as const;
