import { BiconomyPaymaster as BiconomyPaymaster3 } from '@biconomy/paymaster-3';
import { BiconomyPaymaster as BiconomyPaymaster4 } from '@biconomy/paymaster-4';
import { type Hex, isAddress, isHex, numberToHex } from 'viem';
import { z } from 'zod';
import { rpcCall } from '../../../server/dev/rpc-call.ts';
import type { DevUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { maximumOf } from '../service/chain-sponsorship.ts';
import type { ClientLab } from './client-lab.ts';
import type { PlainClient } from './plain-clients.ts';

/** What the two major versions of `BiconomyPaymaster` have in common. Their answers are checked, not trusted. */
export type BiconomyPaymasterClient = {
  getPaymasterFeeQuotesOrData(operation: object, request?: Request): Promise<unknown>;
  getPaymasterAndData(operation: object, request?: Request): Promise<unknown>;
  buildTokenApprovalTransaction(request: { feeQuote: FeeQuote; spender: Hex }): Promise<unknown>;
};

type Request = Readonly<Record<string, unknown>>;
type Settings = { paymasterUrl: string; strictMode?: boolean };

/** The packages by the name that the table gives them. Nothing but the address is set. */
export const biconomyPaymasterClients = [
  {
    name: '@biconomy/paymaster 3.1.4',
    /** Whether `getPaymasterAndData`, too, turns two refusals into an operation that pays itself. */
    fallsBackWhenSigning: true,
    create: (settings: Settings): BiconomyPaymasterClient => new BiconomyPaymaster3(settings),
  },
  {
    name: '@biconomy/paymaster 4.1.1',
    fallsBackWhenSigning: false,
    create: (settings: Settings): BiconomyPaymasterClient => new BiconomyPaymaster4(settings),
  },
] as const;

/** One of them in the form of the clients that know the two methods and nothing else. EntryPoint 0.6 only. */
export function plainBiconomyClient({ name, create }: (typeof biconomyPaymasterClients)[number]): PlainClient {
  return {
    name,
    sponsor: async (paymasterUrl, method, operation) => {
      const ask = method === 'pm_getFeeQuoteOrData' ? 'getPaymasterFeeQuotesOrData' : 'getPaymasterAndData';
      const request = { mode: 'SPONSORED' };
      return clientSponsorship.parse(await create({ paymasterUrl })[ask](toBiconomyOperation(operation), request));
    },
    quote: async (paymasterUrl, operation, token) => {
      const request = { mode: 'ERC20', preferredToken: token };
      const answer = await create({ paymasterUrl }).getPaymasterFeeQuotesOrData(
        toBiconomyOperation(operation),
        request,
      );
      const { feeQuotes, tokenPaymasterAddress } = clientQuotes.parse(answer);
      const [quote] = feeQuotes;
      if (quote === undefined) throw new Error('The token was not quoted.');
      return { max: maximumOf(quote), spender: tokenPaymasterAddress };
    },
    pay: async (paymasterUrl, operation, token) => {
      const request = { mode: 'ERC20', feeTokenAddress: token };
      return clientSponsorship.parse(
        await create({ paymasterUrl }).getPaymasterAndData(toBiconomyOperation(operation), request),
      );
    },
  };
}

const hex = z.custom<Hex>((value) => isHex(value));
const address = z.custom<Hex>((value) => typeof value === 'string' && isAddress(value));
const gas = z.union([z.string().regex(/^\d+$/), z.int()]).transform((value) => BigInt(value));

/** `paymasterAndData` and limits as the clients hand them on. */
export const clientSponsorship = z.object({
  paymasterAndData: hex,
  preVerificationGas: gas,
  verificationGasLimit: gas,
  callGasLimit: gas,
});

const feeQuote = z.object({
  symbol: z.string(),
  tokenAddress: address,
  decimal: z.int(),
  maxGasFee: z.number(),
  premiumPercentage: z.custom<number>((value) => typeof value === 'number' || typeof value === 'string'),
});
export type FeeQuote = z.output<typeof feeQuote>;

/** Quotes as the clients hand them on; the spender under their own name for it. */
export const clientQuotes = z.object({ feeQuotes: z.array(feeQuote), tokenPaymasterAddress: address });

/** The transaction that 3.x and 4.x build to let the paymaster take the tokens. */
export const clientApproval = z.object({ to: address, data: hex });

const estimated = hex.transform((value) => BigInt(value));
const estimatedLimits = z.object({
  callGasLimit: estimated,
  verificationGasLimit: estimated,
  preVerificationGas: estimated,
});

/** An operation in the form these clients take. Limits that are 0 are left to the service. */
export function toBiconomyOperation(operation: DevUserOperation): Record<string, Hex> {
  const { sender, initCode, callData, signature, paymasterAndData } = operation;
  const { callGasLimit, verificationGasLimit, preVerificationGas } = operation;
  const limits = Object.entries({ callGasLimit, verificationGasLimit, preVerificationGas });
  return {
    sender,
    nonce: numberToHex(operation.nonce),
    initCode,
    callData,
    maxFeePerGas: numberToHex(operation.maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(operation.maxPriorityFeePerGas),
    signature,
    paymasterAndData,
    ...Object.fromEntries(limits.flatMap(([name, value]) => (value === 0n ? [] : [[name, numberToHex(value)]]))),
  };
}

/** Limits for the operation as an application gets them from its bundler. */
export async function estimateLimits(
  { bundler, devnet }: Pick<ClientLab, 'bundler' | 'devnet'>,
  operation: DevUserOperation,
) {
  const params = [toBiconomyOperation(operation), devnet.entryPoints[operation.entryPointVersion]];
  return rpcCall(bundler.url, 'eth_estimateUserOperationGas', params, estimatedLimits);
}
