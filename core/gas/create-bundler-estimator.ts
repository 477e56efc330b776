import { createClient, type Hex, http, isHex, numberToHex, size, slice } from 'viem';
import type { Eip7702MarkerForm } from '../domain/eip7702-marker-form.ts';
import type { Refusal } from '../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import type { Eip7702Authorization, GasLimits } from '../domain/user-operation.ts';
import { omitAbsent } from '../domain/values/omit-absent.ts';
import { isEip7702InitCode, shortEip7702Marker } from '../evm/entry-point/eip7702-init-code.ts';
import { boundedFetch } from '../node/rpc/bounded-fetch.ts';
import { readRpcAnswer } from '../node/rpc/rpc-answer.ts';
import type { EstimationRequest, GasEstimate, GasEstimator } from './estimator.ts';
import { findAaCode } from './failures/aa-codes.ts';
import { checkGasValues } from './failures/check-gas-values.ts';
import { explainFailure, quote, type RevertDetails, revertDetails } from './failures/decode-failure.ts';
import { noDataFee } from './fees/data-fee.ts';
import { withEstimationSignature } from './simulation/dummy-signature.ts';
import { type SimulatedOperation, withLimits } from './simulation/estimation-context.ts';

/** Longest limit that is taken from a bundler: far above any block, far below what a fee computation could not carry. */
const maxLimit = 1n << 40n;
/** JSON-RPC code of bundlers for an operation whose own call reverts (ERC-7769). */
const executionRevertedCode = -32521;

const unavailable: Refusal = {
  reason: 'CHAIN_UNAVAILABLE',
  message: 'The bundler could not be asked for gas limits: it is down, slow or gave an answer that makes no sense.',
};

/**
 * Estimates with the bundler's `eth_estimateUserOperationGas`. The operation carries the paymaster's stub. Refuses with
 * `ESTIMATION_FAILED` where the bundler says what is wrong with the operation, else with `CHAIN_UNAVAILABLE`.
 */
export function createBundlerEstimator(options: {
  bundlerUrl: string;
  timeoutMs: number;
  eip7702Marker: Eip7702MarkerForm;
}): GasEstimator {
  const client = createClient({
    transport: http(options.bundlerUrl, { fetchFn: boundedFetch, retryCount: 0, timeout: options.timeoutMs }),
  });
  return {
    async estimate(given) {
      const inRange = checkGasValues(given.operation);
      if (!inRange.ok) return inRange;
      const request = { ...given, operation: withEstimationSignature(given.operation) };
      const simulated = withLimits(request, unknownLimits(request));
      try {
        const answer = await client.request<BundlerSchema>({
          method: 'eth_estimateUserOperationGas',
          params: [toRpcOperation(simulated, options.eip7702Marker), request.entryPoint],
        });
        return readLimits(request, answer);
      } catch (error) {
        return refuse(explainBundlerError(error, simulated));
      }
    },
  };
}

type RpcOperation = Readonly<Record<string, Hex | Readonly<Record<string, Hex>>>>;
type BundlerSchema = {
  Method: 'eth_estimateUserOperationGas';
  Parameters: [operation: RpcOperation, entryPoint: Hex];
  ReturnType: unknown;
};

function unknownLimits({ paymasterGas }: EstimationRequest): GasLimits {
  return {
    callGasLimit: 0n,
    verificationGasLimit: 0n,
    preVerificationGas: 0n,
    paymasterVerificationGasLimit: paymasterGas.paymasterVerificationGasLimit,
    paymasterPostOpGasLimit: paymasterGas.paymasterPostOpGasLimit,
  };
}

const noLimit: Hex = '0x0';

/** The operation in the form of ERC-7769. Limits to be estimated are 0: several bundlers fail on missing ones. */
function toRpcOperation(
  { operation, paymasterAndData }: SimulatedOperation,
  markerForm: Eip7702MarkerForm,
): RpcOperation {
  const { gas, initCode, eip7702Auth } = operation;
  const common = {
    sender: operation.sender,
    nonce: numberToHex(operation.nonce),
    callData: operation.callData,
    callGasLimit: noLimit,
    verificationGasLimit: noLimit,
    preVerificationGas: noLimit,
    maxFeePerGas: numberToHex(operation.maxFeePerGas),
    maxPriorityFeePerGas: numberToHex(operation.maxPriorityFeePerGas),
    signature: operation.signature,
    ...omitAbsent({ eip7702Auth: eip7702Auth === undefined ? undefined : toRpcAuthorization(eip7702Auth) }),
  };
  if (operation.entryPointVersion === '0.6') return { ...common, initCode, paymasterAndData };
  return {
    ...common,
    ...(initCode === '0x' ? {} : { factory: factoryOf(initCode, markerForm), factoryData: tail(initCode, 20) }),
    ...(paymasterAndData === '0x'
      ? {}
      : {
          paymaster: head(paymasterAndData, 20),
          paymasterVerificationGasLimit: numberToHex(gas.paymasterVerificationGasLimit),
          paymasterPostOpGasLimit: numberToHex(gas.paymasterPostOpGasLimit),
          paymasterData: tail(paymasterAndData, 52),
        }),
  };
}

/** The marker as it is going to be sent: a bundler that pads it takes the short form, as clients write it. */
function factoryOf(initCode: Hex, markerForm: Eip7702MarkerForm): Hex {
  return markerForm === 'padded' && isEip7702InitCode(initCode) ? shortEip7702Marker : head(initCode, 20);
}

function toRpcAuthorization({ address, chainId, nonce, r, s, yParity }: Eip7702Authorization): Record<string, Hex> {
  return {
    address,
    chainId: numberToHex(chainId),
    nonce: numberToHex(nonce),
    r: numberToHex(r, { size: 32 }),
    s: numberToHex(s, { size: 32 }),
    yParity: numberToHex(yParity, { size: 1 }),
  };
}

function head(bytes: Hex, length: number): Hex {
  return slice(bytes, 0, Math.min(length, size(bytes)));
}

function tail(bytes: Hex, start: number): Hex {
  return size(bytes) > start ? slice(bytes, start) : '0x';
}

function readLimits(
  { operation, paymasterGas, callGasAllowance }: EstimationRequest,
  answer: unknown,
): Result<GasEstimate> {
  if (typeof answer !== 'object' || answer === null) return refuse(unavailable);
  const read = (name: keyof GasLimits) => readQuantity((answer as Record<string, unknown>)[name]);
  const callGasLimit = read('callGasLimit');
  const verificationGasLimit = read('verificationGasLimit');
  const preVerificationGas = read('preVerificationGas');
  if (callGasLimit === undefined || verificationGasLimit === undefined || preVerificationGas === undefined) {
    return refuse(unavailable);
  }
  const is06 = operation.entryPointVersion === '0.6';
  const paymasterLimit = (name: keyof EstimationRequest['paymasterGas']) => {
    const estimated = is06 ? 0n : (read(name) ?? 0n);
    return estimated > paymasterGas[name] ? estimated : paymasterGas[name];
  };
  const limits: GasLimits = {
    callGasLimit: callGasLimit + callGasAllowance,
    verificationGasLimit,
    preVerificationGas,
    paymasterVerificationGasLimit: paymasterLimit('paymasterVerificationGasLimit'),
    paymasterPostOpGasLimit: paymasterLimit('paymasterPostOpGasLimit'),
  };
  return accept({ limits, dataFee: noDataFee, dataGas: 0n });
}

/** Hex, decimal text or a JSON number; nothing for anything else. */
function readQuantity(value: unknown): bigint | undefined {
  const isNumber = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  const isText = typeof value === 'string' && /^(0x[0-9a-fA-F]{1,16}|\d{1,16})$/.test(value);
  if (!isNumber && !isText) return undefined;
  const quantity = BigInt(value);
  return quantity <= maxLimit ? quantity : undefined;
}

function explainBundlerError(error: unknown, { operation }: SimulatedOperation): Refusal {
  const answer = readRpcAnswer(error);
  if (answer === undefined) return unavailable;
  const code = findAaCode(answer.details);
  const reverted = revertBeside(answer.data) ?? revertIn(answer.details);
  if (code !== undefined) return explainFailure(code, operation.entryPointVersion, reverted).refusal;
  if (answer.code === executionRevertedCode) {
    const details = reverted ?? { revert: `"${quote(withoutUrls(answer.details))}"` };
    return {
      reason: 'ESTIMATION_FAILED',
      message: `The bundler says that the operation's call reverts: ${details.revert}.`,
      field: 'callData',
      details,
    };
  }
  return unavailable;
}

/** Revert data that a bundler put into `error.data`, bare or as its `revertData`. */
function revertBeside(data: unknown): RevertDetails | undefined {
  const bytes = typeof data === 'object' && data !== null && 'revertData' in data ? data.revertData : data;
  return isHex(bytes) && bytes.length % 2 === 0 && size(bytes) >= 4 ? revertDetails(bytes) : undefined;
}

/** Revert data that a bundler put into its text: a selector and whole words, unlike an address or a hash. */
function revertIn(text: string): RevertDetails | undefined {
  const data = /\b0x[0-9a-fA-F]{8}(?:[0-9a-fA-F]{64})*\b/.exec(text)?.[0];
  return isHex(data) ? revertDetails(data) : undefined;
}

function withoutUrls(text: string): string {
  return text.replace(/\b\w+:\/\/\S+/g, '…');
}
