import type { Address } from 'viem';
import { type DevUserOperation, toRpcUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import {
  askRpc,
  type QuotesAnswer,
  quotesAnswer,
  type RpcAnswer,
  type SignedAnswer,
  signedAnswer,
} from './chain-rpc.ts';

/** How a sponsorship is asked for. Without a token the application pays. */
export type Wish = {
  readonly token?: Address;
  /** False: the operation's own limits are signed. */
  readonly calculateGasLimits?: boolean;
  readonly expiryDuration?: number;
  /** Of a policy of the paymaster. */
  readonly policyId?: string;
  /** Of a user. */
  readonly ticket?: string | undefined;
  /** Address of the client, as a trusted proxy tells it. */
  readonly client?: string;
};

const smartAccountInfo = { name: 'INFINITISM', version: '1.0.0' };

function common({ calculateGasLimits, expiryDuration, policyId, ticket }: Wish) {
  return {
    calculateGasLimits,
    expiryDuration,
    policyId,
    ticket,
    sponsorshipInfo: { webhookData: {}, smartAccountInfo },
  };
}

/** Asks for signed paymaster data with `pm_sponsorUserOperation`, in the mode of the wish. */
export function askSponsorship(rpcUrl: string, operation: DevUserOperation, wish: Wish = {}): Promise<RpcAnswer> {
  const payment =
    wish.token === undefined ? { mode: 'SPONSORED' } : { mode: 'ERC20', tokenInfo: { feeTokenAddress: wish.token } };
  const context = { ...common(wish), ...payment };
  return askRpc(rpcUrl, 'pm_sponsorUserOperation', [toRpcUserOperation(operation), context], wish.client);
}

/** The signed paymaster data; throws when it is refused. */
export async function sponsor(rpcUrl: string, operation: DevUserOperation, wish: Wish = {}): Promise<SignedAnswer> {
  return signedAnswer(await askSponsorship(rpcUrl, operation, wish));
}

/** Asks what the operation costs in tokens; with no `token` in the wish, in all of them. */
export function askQuotes(rpcUrl: string, operation: DevUserOperation, wish: Wish = {}): Promise<RpcAnswer> {
  const tokenInfo = { preferredToken: wish.token ?? '', tokenList: [] };
  const context = { ...common(wish), mode: 'ERC20', tokenInfo };
  return askRpc(rpcUrl, 'pm_getFeeQuoteOrData', [toRpcUserOperation(operation), context]);
}

export type Quote = QuotesAnswer['feeQuotes'][number];

/** The one quote for the wish's token; throws when there is none. */
export async function quoteFor(rpcUrl: string, operation: DevUserOperation, wish: Wish): Promise<Quote> {
  const [quote] = quotesAnswer(await askQuotes(rpcUrl, operation, wish)).feeQuotes;
  if (quote === undefined) throw new Error('The service gave no quote.');
  return quote;
}

/** The most a quote can cost in base units, computed in doubles as its clients do. */
export function maximumOf({ maxGasFee, decimal }: Pick<Quote, 'maxGasFee' | 'decimal'>): bigint {
  return BigInt(Math.ceil(maxGasFee * 10 ** decimal));
}

/** The operation with what the service answered in it. */
export function withAnswer(operation: DevUserOperation, answer: SignedAnswer): DevUserOperation {
  const { paymasterAndData, callGasLimit, verificationGasLimit, preVerificationGas } = answer;
  return { ...operation, paymasterAndData, callGasLimit, verificationGasLimit, preVerificationGas };
}

/**
 * The deposit the EntryPoint asks of the paymaster for the operation, in wei: ERC-4337's required prefund, written down
 * here a second time on purpose.
 */
export function prefundOf(operation: DevUserOperation, answer: SignedAnswer): bigint {
  const is06 = operation.entryPointVersion === '0.6';
  const gas =
    answer.callGasLimit +
    answer.preVerificationGas +
    answer.verificationGasLimit * (is06 ? 3n : 1n) +
    answer.paymasterVerificationGasLimit +
    answer.paymasterPostOpGasLimit;
  return gas * operation.maxFeePerGas;
}
