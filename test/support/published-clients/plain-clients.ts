import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { JsonRpcProvider } from 'ethers-6';
import { type Address, size, slice } from 'viem';
import { z } from 'zod';
import { createSponsorClient } from '../../../clients/sdk/create-sponsor-client.ts';
import type { SignedData } from '../../../clients/sdk/sponsor/signed-data.ts';
import { maximumTokenAmount } from '../../../clients/sdk/sponsor/token-quotes.ts';
import type { UserOperationRequest } from '../../../clients/sdk/sponsor/user-operation-request.ts';
import { rpcBody } from '../../../server/dev/rpc-call.ts';
import { type DevUserOperation, toRpcUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import type { LandingClient } from '../chain/landings-table.ts';
import { quotesAnswer, signedAnswer } from '../service/chain-rpc.ts';
import { maximumOf } from '../service/chain-sponsorship.ts';

type Method = 'pm_getFeeQuoteOrData' | 'pm_sponsorUserOperation';
type Signed = Pick<SignedData, 'paymasterAndData' | 'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas'>;

/** Something that asks the RPC endpoint at `url` and knows nothing of accounts or bundlers. */
export type PlainClient = {
  readonly name: LandingClient;
  sponsor(url: string, method: Method, operation: DevUserOperation): Promise<Signed>;
  /** The most the operation can cost, in base units of the token, and who may take it. */
  quote(url: string, operation: DevUserOperation, token: Address): Promise<{ max: bigint; spender: Address }>;
  pay(url: string, operation: DevUserOperation, token: Address): Promise<Signed>;
};

const smartAccountInfo = { name: 'INFINITISM', version: '1.0.0' };
const sponsored = { mode: 'SPONSORED', sponsorshipInfo: { smartAccountInfo, webhookData: {} } } as const;
const run = promisify(execFile);
const answerSchema = z.object({
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});

/** `curl` in a process of its own. */
async function curl(url: string, method: Method, operation: DevUserOperation, context: object) {
  const body = rpcBody(method, [toRpcUserOperation(operation), context]);
  const { stdout } = await run('curl', ['-sS', '-H', 'content-type: application/json', '--data', body, url]);
  const { result, error } = answerSchema.parse(JSON.parse(stdout));
  return { httpStatus: 0, result, code: error?.code, reason: undefined, message: error?.message };
}

export const curlClient: PlainClient = {
  name: 'curl',
  sponsor: async (url, method, operation) => signedAnswer(await curl(url, method, operation, sponsored)),
  quote: async (url, operation, token) => {
    const context = { mode: 'ERC20', tokenInfo: { preferredToken: token, tokenList: [token] } };
    const quotes = quotesAnswer(await curl(url, 'pm_getFeeQuoteOrData', operation, context));
    const [quote] = quotes.feeQuotes;
    if (quote === undefined) throw new Error('The token was not quoted.');
    return { max: maximumOf(quote), spender: quotes.paymasterAddress };
  },
  pay: async (url, operation, token) => {
    const context = { mode: 'ERC20', tokenInfo: { feeTokenAddress: token } };
    return signedAnswer(await curl(url, 'pm_sponsorUserOperation', operation, context));
  },
};

/** `JsonRpcProvider` of ethers 6, which asks for the chain first and puts several requests into one. */
export const ethersClient: PlainClient = {
  name: 'ethers 6',
  sponsor: async (url, method, operation) => signedAnswer(await withEthers(url, method, operation, sponsored)),
  quote: async (url, operation, token) => {
    const context = { mode: 'ERC20', tokenInfo: { tokenList: [token] } };
    const quotes = quotesAnswer(await withEthers(url, 'pm_getFeeQuoteOrData', operation, context));
    const [quote] = quotes.feeQuotes;
    if (quote === undefined) throw new Error('The token was not quoted.');
    return { max: maximumOf(quote), spender: quotes.paymasterAddress };
  },
  pay: async (url, operation, token) => {
    const context = { mode: 'ERC20', tokenInfo: { feeTokenAddress: token } };
    return signedAnswer(await withEthers(url, 'pm_sponsorUserOperation', operation, context));
  },
};

async function withEthers(url: string, method: Method, operation: DevUserOperation, context: object) {
  const provider = new JsonRpcProvider(url);
  const result: unknown = await provider.send(method, [toRpcUserOperation(operation), context]);
  provider.destroy();
  return { httpStatus: 200, result, code: undefined, reason: undefined, message: undefined };
}

/** The SDK of this repository. */
export const sdkClient: PlainClient = {
  name: 'clients/sdk',
  sponsor: (url, method, operation) => {
    const client = createSponsorClient({ url });
    const request = toRequest(operation);
    return method === 'pm_getFeeQuoteOrData'
      ? client.getFeeQuoteOrData(request, sponsored)
      : client.sponsorUserOperation(request, sponsored);
  },
  quote: async (url, operation, token) => {
    const quotes = await createSponsorClient({ url }).getFeeQuoteOrData(toRequest(operation), {
      mode: 'ERC20',
      tokenInfo: { preferredToken: token },
    });
    const [quote] = quotes.feeQuotes;
    if (quote === undefined) throw new Error('The token was not quoted.');
    return { max: maximumTokenAmount(quote), spender: quotes.paymasterAddress };
  },
  pay: (url, operation, token) =>
    createSponsorClient({ url }).sponsorUserOperation(toRequest(operation), {
      mode: 'ERC20',
      tokenInfo: { feeTokenAddress: token },
    }),
};

/** The operation in the SDK's form, limits left to the service. */
function toRequest(operation: DevUserOperation): UserOperationRequest {
  const { sender, nonce, callData, maxFeePerGas, maxPriorityFeePerGas, signature, initCode } = operation;
  const shared = { sender, nonce, callData, maxFeePerGas, maxPriorityFeePerGas, signature };
  if (operation.entryPointVersion === '0.6') return { ...shared, initCode, paymasterAndData: '0x' };
  if (size(initCode) === 0) return shared;
  return { ...shared, factory: slice(initCode, 0, 20), factoryData: slice(initCode, 20) };
}
