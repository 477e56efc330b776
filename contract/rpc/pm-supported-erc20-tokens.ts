import { z } from 'zod';
import { EntryPointParamSchema } from './chain-reference.ts';
import { paymasterFields06, paymasterFields07 } from './paymaster-fields.ts';

export const PmSupportedErc20TokensParamsSchema = z.tuple([EntryPointParamSchema], {
  error: 'must be an array of an EntryPoint',
});
export type PmSupportedErc20TokensParams = z.infer<typeof PmSupportedErc20TokensParamsSchema>;

const token = z.object({
  name: z.string().describe('The token’s symbol. No longer name is configured.'),
  symbol: z.string(),
  address: z.string(),
  decimals: z.int(),
  exchangeRate: z.string().describe('Hex. Token base units per 10^18 wei, premium included.'),
});

const paymasterMetadata = z.object({
  name: z.string().describe('Name of the paymaster (DApp).'),
  description: z.string().describe('Empty: not configured.'),
  icons: z.array(z.string()).describe('Empty: not configured.'),
  address: z.string().describe('The paymaster contract, which is the spender of a token allowance.'),
  dummyPaymasterAndData: z
    .union([z.object(paymasterFields07), paymasterFields06.paymasterAndData])
    .describe('For gas estimation only; cannot be used for payment. Text with EntryPoint 0.6.'),
});

export const PmSupportedErc20TokensResultSchema = z.object({
  tokens: z.array(token).describe('The accepted tokens that currently have a price.'),
  paymasterMetadata,
});
export type PmSupportedErc20TokensResult = z.infer<typeof PmSupportedErc20TokensResultSchema>;

/** Facts about a paymaster that abstractionkit requests before anything else. */
export const pmSupportedErc20Tokens = {
  method: 'pm_supportedERC20Tokens',
  params: PmSupportedErc20TokensParamsSchema,
  result: PmSupportedErc20TokensResultSchema,
} as const;
