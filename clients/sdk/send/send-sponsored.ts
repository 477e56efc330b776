import { type Abi, BaseError, type Call, type Hex, http, parseAbi, type SignedAuthorization } from 'viem';
import {
  type BundlerClient,
  createBundlerClient,
  getUserOperation,
  getUserOperationReceipt,
  type PrepareUserOperationParameters,
  prepareUserOperation,
  type SmartAccount,
  sendUserOperation,
  type UserOperation,
  type UserOperationReceipt,
} from 'viem/account-abstraction';
import { readContract } from 'viem/actions';
import { createPaymaster } from '../create-paymaster.ts';
import { SponsorshipRefusedError, TransportError } from '../errors/errors.ts';
import { hideUrls } from '../errors/hide-urls.ts';
import { SendSponsoredError, type SendStep } from '../errors/send-sponsored-error.ts';
import { connectSponsor, httpTransport } from '../sponsor/sponsor-connection.ts';
import type { PaymasterContext } from '../sponsor/sponsorship-context.ts';
import { encodeCalls } from '../tokens/estimate-token-cost.ts';

export type SendSponsoredParameters = {
  /** Any smart account of viem or permissionless. The chain is read through its client. */
  readonly account: SmartAccount;
  /** The calls of the operation, as for `sendUserOperation`. */
  readonly calls: readonly Call[];
  /** The paymaster's RPC URL. */
  readonly url: string;
  /** The bundler's URL. By default the paymaster's own, which supports bundler methods if the operator exposes a bundler. */
  readonly bundlerUrl?: string | undefined;
  /**
   * Signed authorization (EIP-7702) of an account that has no code yet or changes it. By default the key of the account's
   * `authorization` signs one, if viem finds that it is needed.
   */
  readonly authorization?: SignedAuthorization | undefined;
  /** Context of the operation: data for webhooks, ticket, policy. */
  readonly paymasterContext?: PaymasterContext | undefined;
  /** ABIs of the page's contracts: `userMessage` names their refused method. */
  readonly abi?: Abi | undefined;
  /** Estimates fees, for a bundler with its own price requirements. By default from the chain. */
  readonly estimateFeesPerGas?:
    | NonNullable<NonNullable<BundlerClient['userOperation']>['estimateFeesPerGas']>
    | undefined;
  /** Called when a step begins, to show progress. */
  readonly onStep?: ((step: SendStep) => void) | undefined;
  /** Milliseconds to wait for the landing: 120,000 by default. */
  readonly timeout?: number | undefined;
  /** Polling interval for the receipt in milliseconds: 1,000 by default. */
  readonly pollingInterval?: number | undefined;
};

/** An operation that landed with successful calls. */
export type SentSponsored = {
  /** The user operation hash: `GET /operation/:userOperationHash` of the service shows its life. */
  readonly hash: Hex;
  readonly transactionHash: Hex;
  readonly receipt: UserOperationReceipt;
};

/**
 * Prepares, sponsors, signs and sends an operation, and waits until it has landed.
 *
 * @example
 * try {
 *   const { transactionHash } = await sendSponsored({
 *     account,
 *     url: paymasterUrl,
 *     calls: [{ to: shop, abi: shopAbi, functionName: 'buy', args: [1n] }],
 *   });
 * } catch (error) {
 *   if (error instanceof SendSponsoredError) show(error.userMessage);
 * }
 *
 * @throws SendSponsoredError whatever went wrong: it names the step, the reason, and what to tell the user.
 */
export async function sendSponsored(parameters: SendSponsoredParameters): Promise<SentSponsored> {
  const { url, bundlerUrl = url } = parameters;
  try {
    return await sendInSteps(parameters);
  } catch (error) {
    hideUrls(error, [url, bundlerUrl]);
    throw error;
  }
}

async function sendInSteps(parameters: SendSponsoredParameters): Promise<SentSponsored> {
  const { account, abi, onStep = () => undefined, timeout = 120_000, pollingInterval = 1_000 } = parameters;
  const bundlerClient = connect(parameters);
  onStep('prepare');
  const operation = await prepare(bundlerClient, parameters);
  onStep('sign');
  const signed = await sign(operation, parameters).catch((cause: unknown) => fail('sign', 'NOT_SIGNED', { cause }));
  onStep('send');
  const hash = await send(bundlerClient, signed).catch((cause: unknown) => fail('send', 'NOT_ACCEPTED', { cause }));
  onStep('wait');
  const { nonce } = operation;
  const receipt = await waitForLanding({ bundlerClient, account, hash, nonce, timeout, pollingInterval });
  if (!receipt.success) {
    const why = receipt.reason === undefined ? '' : ` with ${receipt.reason}`;
    const message = `The operation ${hash} landed, but its own calls reverted${why}.`;
    throw new SendSponsoredError('execute', 'REVERTED', { hash, receipt, message, abi });
  }
  return { hash, transactionHash: receipt.receipt.transactionHash, receipt };
}

function connect({
  account,
  url,
  bundlerUrl = url,
  paymasterContext,
  estimateFeesPerGas,
  onStep,
}: SendSponsoredParameters) {
  const paymaster = createPaymaster(connectSponsor(httpTransport({ url })), { paymasterContext });
  return createBundlerClient({
    account,
    client: account.client,
    // No retry: a repeated operation is refused as already known.
    transport: http(bundlerUrl, { retryCount: 0 }),
    paymaster: {
      ...paymaster,
      getPaymasterData: (parameters) => {
        onStep?.('sponsor');
        return paymaster.getPaymasterData(parameters);
      },
    },
    ...(estimateFeesPerGas === undefined ? {} : { userOperation: { estimateFeesPerGas } }),
  });
}

async function prepare(
  bundlerClient: BundlerClient,
  { account, authorization, calls, abi }: SendSponsoredParameters,
): Promise<UserOperation> {
  const given = authorization === undefined ? {} : { authorization };
  const parameters = { account, calls: encodeCalls(calls), ...given } as unknown as PrepareUserOperationParameters;
  try {
    return (await prepareUserOperation(bundlerClient, parameters)) as unknown as UserOperation;
  } catch (cause) {
    const known = findOwn(cause);
    if (known !== undefined) return fail('sponsor', 'SERVICE_UNREACHABLE', { cause: known, abi });
    const isEstimation = cause instanceof BaseError && cause.name === 'UserOperationExecutionError';
    return fail('prepare', isEstimation ? 'ESTIMATION_FAILED' : 'PREPARATION_FAILED', { cause, abi });
  }
}

/** viem prepares an authorization with a placeholder for its signature. */
async function sign(
  prepared: UserOperation,
  { account, authorization: given }: SendSponsoredParameters,
): Promise<UserOperation> {
  const needed = given === undefined ? prepared.authorization : undefined;
  const authorization = needed === undefined ? given : await signAuthorization(account, needed);
  const operation = authorization === undefined ? prepared : { ...prepared, authorization };
  return { ...operation, signature: await account.signUserOperation(operation) };
}

async function signAuthorization({ authorization }: SmartAccount, { address, chainId, nonce }: SignedAuthorization) {
  if (authorization === undefined) throw new Error('The account has no key that signs its authorization.');
  return authorization.account.signAuthorization({ address, chainId, nonce });
}

/** The paymaster's error, which viem may have wrapped: a bundler's is never one of these. */
function findOwn(error: unknown): SponsorshipRefusedError | TransportError | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 10; each = each.cause, depth += 1) {
    if (each instanceof SponsorshipRefusedError || each instanceof TransportError) return each;
  }
  return undefined;
}

/** Sends a complete, signed operation: without the account, so that viem prepares nothing again. */
function send(bundlerClient: BundlerClient, operation: UserOperation): Promise<Hex> {
  const { account } = bundlerClient;
  const sender = { ...bundlerClient, account: undefined } as unknown as BundlerClient;
  const parameters = { ...operation, entryPointAddress: account?.entryPoint.address };
  return sendUserOperation(sender, parameters as never);
}

function fail(...[step, failure, options]: ConstructorParameters<typeof SendSponsoredError>): never {
  throw new SendSponsoredError(step, failure, options);
}

const nonceAbi = parseAbi(['function getNonce(address sender, uint192 key) view returns (uint256)']);

/** Polls between two reads of the EntryPoint, and polls that a bundler gets to find the receipt after the nonce was used. */
const pollsPerNonce = 5;

type Awaited = {
  readonly bundlerClient: BundlerClient;
  readonly account: SmartAccount;
  readonly hash: Hex;
  readonly nonce: bigint;
  /** Milliseconds. */
  readonly timeout: number;
  readonly pollingInterval: number;
};

/**
 * The receipt of a sent operation. Rejects when another operation has used its nonce, and after `timeout`: as dropped if the
 * bundler no longer knows it, else as still pending. A bundler that does not answer is asked again until then.
 */
async function waitForLanding(awaited: Awaited): Promise<UserOperationReceipt> {
  const { bundlerClient, hash, timeout, pollingInterval } = awaited;
  const end = Date.now() + timeout;
  let pollsSinceUsed = 0;
  for (let poll = 1; Date.now() < end; poll += 1) {
    const receipt = await getUserOperationReceipt(bundlerClient, { hash }).catch(() => undefined);
    if (receipt !== undefined) return receipt;
    if (pollsSinceUsed > 0 || poll % pollsPerNonce === 0) {
      pollsSinceUsed = (await isNonceUsed(awaited)) ? pollsSinceUsed + 1 : 0;
      if (pollsSinceUsed > pollsPerNonce) throw failed(awaited, 'REPLACED', 'another operation has used its nonce');
    }
    await new Promise((resolve) => setTimeout(resolve, pollingInterval));
  }
  const known = await getUserOperation(bundlerClient, { hash }).catch(() => undefined);
  throw known === undefined
    ? failed(awaited, 'DROPPED', `it did not land in ${timeout} ms, and the bundler no longer knows it`)
    : failed(awaited, 'TIMEOUT', `it did not land in ${timeout} ms. The bundler still has it`);
}

async function isNonceUsed({ account, nonce }: Awaited): Promise<boolean> {
  const args = [account.address, nonce >> 64n] as const;
  const { address } = account.entryPoint;
  const call = { address, abi: nonceAbi, functionName: 'getNonce', args } as const;
  const next = await readContract(account.client, call).catch(() => undefined);
  return next !== undefined && next > nonce;
}

function failed({ hash }: Awaited, failure: 'REPLACED' | 'DROPPED' | 'TIMEOUT', why: string): SendSponsoredError {
  return new SendSponsoredError('wait', failure, { hash, message: `The operation ${hash} has not landed: ${why}.` });
}
