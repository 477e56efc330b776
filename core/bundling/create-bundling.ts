import { omitAbsent } from '@tollfree/contract/omit-absent';
import { type Address, getAddress, type Hex, isHash } from 'viem';
import {
  type BundledStatus,
  type BundlerRequest,
  bundledStatuses,
  type GasPrices,
  type OperationView,
} from '../domain/bundling.ts';
import type { RefusalReason } from '../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import { viewChain } from '../sponsorship/permit/check-chain.ts';
import {
  type BundlerCallOutcome,
  type Bundling,
  type BundlingParts,
  inBundlerTurn,
  type Opened,
  openBundler,
} from './bundling-parts.ts';
import { estimateUserOperationGas } from './estimate-user-operation-gas.ts';
import { boundPrices, chainPrices, createPriceQuestion, fieldOf, type NamedPrices } from './gas-prices.ts';
import { lacksMethod, refuseByReply, refuseUnavailable } from './reply-refusals.ts';
import { sendUserOperation } from './send-user-operation.ts';

const methods = {
  operation: 'eth_getUserOperationByHash',
  receipt: 'eth_getUserOperationReceipt',
} as const satisfies Record<OperationView, string>;

/** `eth_getUserOperationByHash` and `eth_getUserOperationReceipt`, with the bundler's own answer: `null` or an object. */
async function lookUpUserOperation(
  parts: BundlingParts,
  request: BundlerRequest & { readonly view: OperationView; readonly userOperationHash: string },
): Promise<Result<{ readonly json: string }>> {
  const opened = await openBundler(parts, request);
  if (!opened.ok) return opened;
  const hash = readHash(request.userOperationHash);
  if (!hash.ok) return hash;
  return inBundlerTurn(parts, opened.value, request, async () => {
    const question = { method: methods[request.view], params: [hash.value] };
    const reply = await opened.value.bundler.find(question, (result) => result !== null);
    if (reply.kind !== 'result') return refuseByReply(reply);
    const { result, json } = reply;
    if (result === null) return accept({ json });
    if (typeof result !== 'object' || Array.isArray(result))
      return refuseUnavailable('gave an answer that is not valid');
    return isOfAnother(result, hash.value) ? refuseUnavailable('answered about another operation') : accept({ json });
  });
}

/** A receipt names its operation. */
function isOfAnother(result: object, hash: string): boolean {
  const named = (result as Record<string, unknown>).userOpHash;
  return named !== undefined && String(named).toLowerCase() !== hash;
}

const outcomes: Partial<Record<RefusalReason, BundlerCallOutcome>> = {
  BUNDLER_REFUSED: 'refused',
  BUNDLER_UNAVAILABLE: 'unavailable',
};

/** The bundler side of `Core`. */
export function createBundling(given: BundlingParts): Bundling {
  const parts = { ...given, askForPrices: createPriceQuestion(given.clock) };

  function noted<Request extends { readonly chainId: number }, T>(
    name: keyof Bundling,
    perform: (all: typeof parts, request: Request) => Promise<Result<T>>,
  ): (request: Request) => Promise<Result<T>> {
    return async (request) => {
      const result = await perform(parts, request);
      const outcome = result.ok ? 'answered' : (outcomes[result.refusal.reason] ?? 'denied');
      parts.noteCall(request.chainId, name, outcome);
      if (!result.ok) {
        const { reason, decisionId } = result.refusal;
        parts.logger.info(
          { operation: name, chainId: request.chainId, reason, ...omitAbsent({ decisionId }) },
          'Refused',
        );
      }
      return result;
    };
  }

  return {
    sendUserOperation: noted('sendUserOperation', sendUserOperation),
    estimateUserOperationGas: noted('estimateUserOperationGas', estimateUserOperationGas),
    lookUpUserOperation: noted('lookUpUserOperation', lookUpUserOperation),
    readUserOperationStatus: noted('readUserOperationStatus', readUserOperationStatus),
    quoteGasPrices: noted('quoteGasPrices', quoteGasPrices),
    listBundlerEntryPoints: noted('listBundlerEntryPoints', listBundlerEntryPoints),
  };
}

/**
 * `eth_supportedEntryPoints`: the EntryPoints that both the bundler and this service support. The paymaster's own EntryPoint
 * is always first, as in `pm_supportedEntryPoints`: without it nothing would work.
 */
async function listBundlerEntryPoints(
  parts: BundlingParts,
  request: BundlerRequest,
): Promise<Result<readonly Address[]>> {
  const opened = await openBundler(parts, request);
  if (!opened.ok) return opened;
  const { chain, contract, bundler, expose } = opened.value;
  return inBundlerTurn(parts, opened.value, request, async () => {
    const reply = await bundler.ask({ method: 'eth_supportedEntryPoints', params: [] });
    if (reply.kind !== 'result') return refuseByReply(reply);
    if (!Array.isArray(reply.result)) return refuseUnavailable('gave an answer that is not valid');
    const theirs = new Set(reply.result.map((address) => String(address).toLowerCase()));
    const own = getAddress(contract.location.entryPoint);
    if (!theirs.has(own.toLowerCase())) {
      return refuse({
        reason: 'ENTRY_POINT_NOT_SUPPORTED',
        message: `The bundler of this chain does not support the paymaster's EntryPoint ${own}.`,
      });
    }
    const others =
      expose === 'ANY' ? Object.values(chain.config.entryPoints).map((address) => getAddress(address)) : [];
    return accept([...new Set([own, ...others.filter((address) => theirs.has(address.toLowerCase()))])]);
  });
}

/**
 * The bundler's gas prices, or the chain's if it has none: within what the chain requires and what the operator and the
 * paymaster's default policy sign. Without current fees of the chain there is no quote, just as nothing is signed.
 */
async function quoteGasPrices(
  parts: BundlingParts & { readonly askForPrices: ReturnType<typeof createPriceQuestion> },
  request: BundlerRequest,
): Promise<Result<GasPrices>> {
  const opened = await openBundler(parts, request);
  if (!opened.ok) return opened;
  const { chain, contract, profile, bundler } = opened.value;
  const view = viewChain(chain, contract.location.address, parts.clock);
  if (!view.ok) return view;
  const { fees } = view.value;
  if (fees === undefined) {
    return refuse({
      reason: 'CHAIN_UNAVAILABLE',
      message: `The node of chain ${request.chainId} does not report the gas price.`,
    });
  }
  const named = await inBundlerTurn(parts, opened.value, request, async () =>
    accept(await parts.askForPrices(bundler)),
  );
  if (!named.ok) return named;
  const { gasPrice, maxFeePerGasCeiling } = chain.config;
  const limits = { bounds: gasPrice, ceilings: [maxFeePerGasCeiling, profile.policy.maxFeePerGas] };
  return boundPrices(completed(chainPrices(fees), named.value), fees, limits);
}

/** The bundler's prices, or the chain's with the bundler's tip. */
function completed(own: GasPrices, named: NamedPrices | undefined): GasPrices {
  if (named === undefined) return own;
  if (!('tip' in named)) return named;
  const { tip } = named;
  const withTip = ({ maxFeePerGas, maxPriorityFeePerGas }: GasPrices['slow']) => ({
    maxFeePerGas: maxFeePerGas - maxPriorityFeePerGas + tip,
    maxPriorityFeePerGas: tip,
  });
  return { slow: withTip(own.slow), standard: withTip(own.standard), fast: withTip(own.fast) };
}

/**
 * `pimlico_getUserOperationStatus`. If the bundler does not have that method, the status comes from the receipt and the
 * operation.
 */
async function readUserOperationStatus(
  parts: BundlingParts,
  request: BundlerRequest & { readonly userOperationHash: string },
): Promise<Result<BundledStatus>> {
  const opened = await openBundler(parts, request);
  if (!opened.ok) return opened;
  const hash = readHash(request.userOperationHash);
  if (!hash.ok) return hash;
  return inBundlerTurn(parts, opened.value, request, async () => {
    const params = [hash.value] as const;
    const question = { method: 'pimlico_getUserOperationStatus', params };
    const reply = await opened.value.bundler.find(question, (result) => fieldOf(result, 'status') !== 'not_found');
    if (lacksMethod(reply)) return deriveStatus(opened.value, params);
    if (reply.kind !== 'result') return refuseByReply(reply);
    const status = bundledStatuses.find((one) => one === fieldOf(reply.result, 'status'));
    if (status === undefined) return refuseUnavailable('gave an answer that is not valid');
    return accept({ status, ...transactionOf(fieldOf(reply.result, 'transactionHash')) });
  });
}

async function deriveStatus({ bundler }: Opened, params: readonly [Hex]): Promise<Result<BundledStatus>> {
  const isFound = (result: unknown) => result !== null;
  const receipt = await bundler.find({ method: 'eth_getUserOperationReceipt', params }, isFound);
  if (receipt.kind !== 'result') return refuseByReply(receipt);
  if (receipt.result !== null) {
    const transaction = transactionOf(fieldOf(fieldOf(receipt.result, 'receipt'), 'transactionHash'));
    // An operation whose call reverts is also included: its receipt shows it.
    return accept({ status: 'included', ...transaction });
  }
  const operation = await bundler.find({ method: 'eth_getUserOperationByHash', params }, isFound);
  if (operation.kind !== 'result') return refuseByReply(operation);
  if (operation.result === null) return accept({ status: 'not_found' });
  const transaction = transactionOf(fieldOf(operation.result, 'transactionHash'));
  return accept({ status: transaction.transactionHash === undefined ? 'not_submitted' : 'submitted', ...transaction });
}

function transactionOf(value: unknown): { readonly transactionHash?: Hex } {
  return omitAbsent({ transactionHash: typeof value === 'string' && isHash(value) ? value : undefined });
}

/** The hash of an operation as a client sent it, in lower case. */
function readHash(text: string): Result<Hex> {
  if (isHash(text)) return accept(text.toLowerCase() as Hex);
  return refuse({ reason: 'INVALID_PARAMS', message: 'userOpHash must be 32 bytes in hex', field: 'userOpHash' });
}
