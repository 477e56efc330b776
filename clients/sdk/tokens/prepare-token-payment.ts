import { type Address, type Call, type Chain, type Client, isAddressEqual, maxUint256, type Transport } from 'viem';
import {
  type PrepareUserOperationParameters,
  prepareUserOperation,
  type SmartAccount,
  type UserOperation,
} from 'viem/account-abstraction';
import { getBlock, getChainId } from 'viem/actions';
import { getAction } from 'viem/utils';
import { TokenNotTakenError } from '../errors/errors.ts';
import { getFeeQuoteOrData } from '../sponsor/get-fee-quote-or-data.ts';
import { getPaymasterStubData } from '../sponsor/get-paymaster-stub-data.ts';
import { getTokenQuotes, type TokenRate } from '../sponsor/get-token-quotes.ts';
import { contextOfClient, mergeContexts, withoutPayer } from '../sponsor/merge-contexts.ts';
import type { SponsorConnection } from '../sponsor/sponsor-connection.ts';
import type { EitherContext, TokenPermit } from '../sponsor/sponsorship-context.ts';
import { maximumTokenAmount, type TokenQuote } from '../sponsor/token-quotes.ts';
import type { UserOperationRequest } from '../sponsor/user-operation-request.ts';
import { type EncodedCall, encodeCalls, tokenCost } from './estimate-token-cost.ts';
import {
  type AllowanceParties,
  approvalCalls,
  readTokenAllowance,
  tokenPermit,
  tokenPermitTypedData,
} from './token-permit.ts';

export type PrepareTokenPaymentParameters = {
  /** Client that will send the operation, of viem or permissionless. */
  readonly bundlerClient: Client<Transport, Chain | undefined, SmartAccount | undefined>;
  /** Account that sends and pays, unless the client has it. */
  readonly account?: SmartAccount | undefined;
  /** Address of the token that pays. */
  readonly token: Address;
  /** What the operation is to do, as `sendUserOperation` takes it. */
  readonly calls: readonly Call[];
  /**
   * How the paymaster contract gets an allowance that is too low: by a call in front of the others (the default), or by a permit that
   * `account.signTypedData` signs. The token must have permits (EIP-2612), and the paymaster contract must be Tollfree's own.
   */
  readonly approval?: 'CALL' | 'PERMIT' | undefined;
  /** What else the policy asks of the operation, on top of the context that the client's paymaster was made with. */
  readonly paymasterContext?: EitherContext | undefined;
};

/** A token-paid operation, ready to send: each part goes into `sendUserOperation`. */
export type TokenPayment = {
  /** The approvals it takes, if any, then the caller's calls. */
  readonly calls: readonly EncodedCall[];
  /** For `paymasterContext`. */
  readonly paymasterContext: EitherContext & { readonly token: Address; readonly permit?: TokenPermit | undefined };
  /** What the quote is for. With another nonce, or more gas or fees, the service is not bound to it. */
  readonly operation: Pick<
    UserOperation,
    'nonce' | 'maxFeePerGas' | 'maxPriorityFeePerGas' | 'callGasLimit' | 'verificationGasLimit' | 'preVerificationGas'
  >;
  readonly quote: TokenQuote;
  /**
   * About what the operation will cost, in base units of the token: at the gas price of the newest block, for the
   * limits that the bundler estimated. To be shown; it binds no one.
   */
  readonly expected: bigint;
  /** The most the operation can cost, in base units of the token: the allowance that the paymaster has at least. */
  readonly maximum: bigint;
};

/**
 * Prepares an operation whose gas the user pays in a token. A draft with an unlimited approval, which is never
 * signed, is estimated by the bundler and quoted by the service; an allowance that is too low is then raised to exactly
 * the quoted maximum, in the same batch, by way of 0 where the token wants that, or by a permit. The quote binds the
 * service until `quote.validUntil`.
 *
 * @example const { calls, paymasterContext, operation } = await prepareTokenPayment(client, { bundlerClient, token: usdc, calls:
 * [{ to: shop, abi: shopAbi, functionName: 'buy', args: [1n] }], }); const hash = await
 * bundlerClient.sendUserOperation({ calls, paymasterContext, ...operation });
 *
 * @throws TokenNotTakenError when the paymaster does not take the token; otherwise what the service (see
 * `createSponsorClient`), the bundler and the chain's node reject with.
 */
export async function prepareTokenPayment(
  client: SponsorConnection,
  parameters: PrepareTokenPaymentParameters,
): Promise<TokenPayment> {
  const { bundlerClient, token } = parameters;
  const account = parameters.account ?? bundlerClient.account;
  if (account === undefined) throw new TypeError('Give the account that pays to the bundler client or to the call.');
  const given = mergeContexts(contextOfClient(bundlerClient), parameters.paymasterContext);
  const context = { ...withoutPayer(given), token };
  const wanted = encodeCalls(parameters.calls);

  const rate = await readRate(client, { account, bundlerClient, token });
  const spender = rate.paymaster;
  const allowance = await readTokenAllowance(account.client, { token, owner: account.address, spender });
  const byPermit = parameters.approval === 'PERMIT' && allowance.amount < maxUint256;
  // What a permit lacks is filled in: it is signed when its amount is known.
  const drafted = byPermit ? { ...context, permit: {} } : context;
  const request: PrepareUserOperationParameters = {
    account,
    calls: [...approvalCalls(allowance, maxUint256), ...wanted],
    paymaster: { getPaymasterData: (draft) => getPaymasterStubData(client, { ...draft, context: drafted }) },
  };
  const draft = await getAction(bundlerClient, prepareUserOperation, 'prepareUserOperation')(request);
  const { nonce, maxFeePerGas, maxPriorityFeePerGas, callGasLimit, verificationGasLimit, preVerificationGas } = draft;
  const operation: TokenPayment['operation'] = {
    nonce,
    maxFeePerGas,
    maxPriorityFeePerGas,
    callGasLimit,
    verificationGasLimit,
    preVerificationGas,
  };
  const [quote, feePerGas] = await Promise.all([
    quoteDraft(client, draft, drafted),
    readFeePerGas(account.client, operation),
  ]);
  const maximum = maximumTokenAmount(quote);
  const gas = operation.callGasLimit + operation.verificationGasLimit + operation.preVerificationGas;
  const expected = tokenCost(rate, { gas, feePerGas });
  const permit = byPermit && allowance.amount < maximum ? await signPermit(account, allowance, maximum) : undefined;
  return {
    calls: [...(permit === undefined ? approvalCalls(allowance, maximum) : []), ...wanted],
    paymasterContext: permit === undefined ? context : { ...context, permit },
    operation,
    quote,
    expected: expected < maximum ? expected : maximum,
    maximum,
  };
}

async function signPermit(account: SmartAccount, parties: AllowanceParties, value: bigint): Promise<TokenPermit> {
  const { token, owner, spender } = parties;
  const typedData = await tokenPermitTypedData(account.client, { token, owner, spender, value });
  return tokenPermit(typedData, await account.signTypedData(typedData));
}

async function readRate(
  client: SponsorConnection,
  parts: Required<Pick<PrepareTokenPaymentParameters, 'bundlerClient' | 'token'>> & { readonly account: SmartAccount },
): Promise<TokenRate> {
  const { account, bundlerClient, token } = parts;
  const chainId = bundlerClient.chain?.id ?? (await getAction(bundlerClient, getChainId, 'getChainId')({}));
  const entryPointAddress = account.entryPoint.address;
  const [rate] = await getTokenQuotes(client, { tokens: [token], chainId, entryPointAddress });
  if (rate === undefined) throw new TokenNotTakenError(token);
  return rate;
}

/** What a gas costs in the newest block, within the operation's own fees. */
async function readFeePerGas(
  client: SmartAccount['client'],
  { maxFeePerGas, maxPriorityFeePerGas }: { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint },
): Promise<bigint> {
  const { baseFeePerGas } = await getBlock(client, { blockTag: 'latest' });
  if (baseFeePerGas === null) return maxFeePerGas;
  const price = baseFeePerGas + maxPriorityFeePerGas;
  return price < maxFeePerGas ? price : maxFeePerGas;
}

/** The quote for the draft's own limits: those that will be signed for. */
async function quoteDraft(
  client: SponsorConnection,
  draft: UserOperationRequest,
  { token, ...context }: EitherContext & { readonly token: Address; readonly permit?: Partial<TokenPermit> },
): Promise<TokenQuote> {
  const { feeQuotes } = await getFeeQuoteOrData(client, draft, {
    ...context,
    mode: 'ERC20',
    calculateGasLimits: false,
    tokenInfo: { preferredToken: token, tokenList: [] },
  });
  const quote = feeQuotes.find(({ tokenAddress }) => isAddressEqual(tokenAddress, token));
  if (quote === undefined) throw new TokenNotTakenError(token);
  return quote;
}
