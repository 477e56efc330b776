import { type Address, type Call, type Hex, isAddressEqual } from 'viem';
import { type SendUserOperationParameters, sendUserOperation } from 'viem/account-abstraction';
import { getAction } from 'viem/utils';
import { createPaymaster } from '../create-paymaster.ts';
import { SponsorshipRefusedError } from '../errors/errors.ts';
import { contextOfClient, mergeContexts, withoutPayer } from '../sponsor/merge-contexts.ts';
import type { SponsorConnection } from '../sponsor/sponsor-connection.ts';
import type { EitherContext } from '../sponsor/sponsorship-context.ts';
import type { TokenQuote } from '../sponsor/token-quotes.ts';
import { encodeCalls } from './estimate-token-cost.ts';
import { type PrepareTokenPaymentParameters, prepareTokenPayment, type TokenPayment } from './prepare-token-payment.ts';

/** The operation would cost the user more than the highest amount that was given. Nothing was signed or sent. */
export class TokenPaymentTooHighError extends Error {
  override readonly name = 'TokenPaymentTooHighError';
  /** What it can cost at most, in base units of the token. */
  readonly maximum: bigint;
  readonly quote: TokenQuote;

  constructor({ maximum, quote }: { readonly maximum: bigint; readonly quote: TokenQuote }) {
    super(`The operation can cost up to ${quote.maxGasFee} ${quote.symbol}, more than the user is to pay.`);
    this.maximum = maximum;
    this.quote = quote;
  }
}

export type SponsorOrPayParameters = Pick<PrepareTokenPaymentParameters, 'bundlerClient' | 'account'> & {
  /** What the operation is to do, as `sendUserOperation` takes it. */
  readonly calls: readonly Call[];
  /** What the user pays in where it is not free, and the most of it for this operation, in base units of the token. */
  readonly payIn: { readonly token: Address; readonly maximum: bigint };
  /**
   * Of the operation, no matter who pays: data for webhooks, account, ticket, policy. It goes on top of the context that the
   * client's paymaster was made with.
   */
  readonly paymasterContext?: EitherContext | undefined;
};

/** The operation that was sent, and who pays for it. */
export type SponsoredOrPaid = { readonly hash: Hex } & (
  | { readonly paidBy: 'application' }
  | ({ readonly paidBy: 'user' } & Pick<TokenPayment, 'quote' | 'expected' | 'maximum'>)
);

/**
 * Sends an operation free of charge; where a limit of the policy is used up and the policy lets users pay then
 * (`thenPayInToken`), in the user's token: quoted, with the approval that it takes, and for no more than `payIn.maximum`. Every
 * other refusal is final.
 *
 * @example
 * const { hash, paidBy } = await sponsorOrPay(client, {
 *   bundlerClient,
 *   calls: [{ to: shop, abi: shopAbi, functionName: 'buy', args: [1n] }],
 *   payIn: { token: usdc, maximum: parseUnits('0.10', 6) },
 * });
 *
 * @throws SponsorshipRefusedError when it is neither free nor to be had for that token, TokenPaymentTooHighError when it costs more;
 * otherwise what `prepareTokenPayment` and the bundler reject with.
 */
export async function sponsorOrPay(
  client: SponsorConnection,
  parameters: SponsorOrPayParameters,
): Promise<SponsoredOrPaid> {
  const { bundlerClient, payIn } = parameters;
  const paymasterContext = withoutPayer(mergeContexts(contextOfClient(bundlerClient), parameters.paymasterContext));
  const account = parameters.account ?? bundlerClient.account;
  if (account === undefined) throw new TypeError('Give the account that sends to the bundler client or to the call.');
  const calls = encodeCalls(parameters.calls);
  const paymaster = createPaymaster(client);
  const send = (operation: SendUserOperationParameters) =>
    getAction(bundlerClient, sendUserOperation, 'sendUserOperation')(operation);
  try {
    return { hash: await send({ account, calls, paymaster, paymasterContext }), paidBy: 'application' };
  } catch (error) {
    if (!isOffered(error, payIn.token)) throw error;
  }
  const payment = await prepareTokenPayment(client, {
    bundlerClient,
    account,
    paymasterContext,
    calls,
    token: payIn.token,
  });
  const { quote, expected, maximum } = payment;
  if (maximum > payIn.maximum) throw new TokenPaymentTooHighError({ quote, maximum });
  const paid = { calls: payment.calls, paymaster, paymasterContext: payment.paymasterContext, ...payment.operation };
  return { hash: await send({ account, ...paid }), paidBy: 'user', quote, expected, maximum };
}

function isOffered(error: unknown, token: Address): boolean {
  if (!(error instanceof SponsorshipRefusedError)) return false;
  return error.thenPayInToken?.tokens.some(({ address }) => isAddressEqual(address as Address, token)) === true;
}
