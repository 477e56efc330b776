import { z } from 'zod';
import { EntryPointParamSchema } from './chain-reference.ts';
import { paymasterFields06, paymasterFields07 } from './paymaster-fields.ts';

export const PmSupportedErc20TokensParamsSchema = z.tuple([EntryPointParamSchema], {
  error: 'must be an array of an EntryPoint',
});
export type PmSupportedErc20TokensParams = z.infer<typeof PmSupportedErc20TokensParamsSchema>;

const token = z.object({
  name: z.string().describe('The symbol: no longer name is configured.'),
  symbol: z.string(),
  address: z.string(),
  decimals: z.int(),
  exchangeRate: z.string().describe('Hex. Token base units for 10^18 wei, premium included.'),
});

const paymasterMetadata = z.object({
  name: z.string().describe('Name of the paymaster (DApp).'),
  description: z.string().describe('Empty: none is configured.'),
  icons: z.array(z.string()).describe('Empty: none are configured.'),
  address: z.string().describe('Of the paymaster contract: the spender that a token allowance is for.'),
  dummyPaymasterAndData: z
    .union([z.object(paymasterFields07), paymasterFields06.paymasterAndData])
    .describe('To estimate an operation with; not good for payment. Text with EntryPoint 0.6.'),
});

export const PmSupportedErc20TokensResultSchema = z.object({
  tokens: z.array(token).describe('The tokens the paymaster takes and has a price of now.'),
  paymasterMetadata,
});
export type PmSupportedErc20TokensResult = z.infer<typeof PmSupportedErc20TokensResultSchema>;

/** What abstractionkit wants to know of a paymaster before it asks for anything else. */
export const pmSupportedErc20Tokens = {
  method: 'pm_supportedERC20Tokens',
  params: PmSupportedErc20TokensParamsSchema,
  result: PmSupportedErc20TokensResultSchema,
} as const;
