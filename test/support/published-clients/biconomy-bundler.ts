import { type Hex, isAddress, isHex, numberToHex, parseGwei } from 'viem';
import { z } from 'zod';
import type { ChainConfig } from '../../../core/domain/core-config.ts';
import type { Devnet } from '../../../server/dev/devnet/devnet.ts';
import { rpcCall } from '../../../server/dev/rpc-call.ts';
import type { OperationOutcome } from '../../../server/dev/user-operation/entry-point.ts';
import { startTestBundler } from '../chain/test-bundler.ts';
import {
  forward,
  type RpcRequest,
  respond,
  respondError,
  respondResult,
  startRpcServer,
} from '../servers/json-rpc-server.ts';

/** What a bundler tells of an operation that is on chain. */
export type Landed = Pick<OperationOutcome, 'sender' | 'paymaster' | 'success' | 'actualGasCost' | 'transactionHash'>;

/** A bundler with the methods of its own that Biconomy's has. */
export type BiconomyBundler = {
  /** The address, in the form in which the clients look for the chain id. */
  readonly url: string;
  /** The operation with the hash; throws when there is none. */
  landed(userOpHash: string): Promise<Landed>;
  close(): Promise<void>;
};

const hex = z.custom<Hex>((value) => isHex(value));
const address = z.custom<Hex>((value) => typeof value === 'string' && isAddress(value));
const receiptSchema = z.object({
  sender: address,
  paymaster: address,
  success: z.boolean(),
  actualGasCost: hex.transform((value) => BigInt(value)),
  receipt: z.object({ transactionHash: hex }),
});
const estimateSchema = z.object({
  result: z.looseObject({ verificationGasLimit: hex.transform((value) => BigInt(value)) }),
});

/**
 * Verification gas for a paymaster. These clients have an operation estimated before it has one, and EntryPoint 0.6
 * takes what the paymaster needs from the operation's own limit.
 */
const paymasterAllowance = 100_000n;

/**
 * Puts Biconomy's methods before the test bundler: fees, the state of an operation, and estimates that also work for an
 * operation without fees, have fees in the answer, and leave room for a paymaster.
 */
export async function startBiconomyBundler(devnet: Devnet, config: ChainConfig): Promise<BiconomyBundler> {
  const bundler = await startTestBundler(devnet, config);

  async function fees() {
    const { baseFeePerGas } = await devnet.client.getBlock();
    const maxPriorityFeePerGas = parseGwei('1');
    return {
      maxFeePerGas: numberToHex((baseFeePerGas ?? 0n) * 2n + maxPriorityFeePerGas),
      maxPriorityFeePerGas: numberToHex(maxPriorityFeePerGas),
    };
  }

  async function operationState(params: readonly unknown[]): Promise<object> {
    const found = await rpcCall(bundler.url, 'eth_getUserOperationReceipt', params, receiptSchema.loose().nullable());
    if (found === null) return { state: 'SUBMITTED' };
    return { state: 'CONFIRMED', transactionHash: found.receipt.transactionHash };
  }

  async function estimateWithFees(request: RpcRequest): Promise<unknown> {
    const [operation, entryPoint] = request.params;
    const values = await fees();
    const sent = { ...values, ...z.record(z.string(), z.unknown()).parse(operation) };
    const body = await forward(bundler.url, { ...request, params: [sent, entryPoint] });
    const estimate = estimateSchema.safeParse(body);
    if (!estimate.success) return body;
    const { result } = estimate.data;
    const verificationGasLimit = numberToHex(result.verificationGasLimit + paymasterAllowance);
    return { jsonrpc: '2.0', id: request.id, result: { ...result, verificationGasLimit, ...values } };
  }

  const server = await startRpcServer(async (request, response) => {
    try {
      switch (request.method) {
        case 'biconomy_getGasFeeValues': {
          // @biconomy/account reads the values themselves, abstractjs one of the three speeds.
          const values = await fees();
          return respondResult(response, request, { ...values, slow: values, standard: values, fast: values });
        }
        case 'biconomy_getUserOperationStatus':
          return respondResult(response, request, await operationState(request.params));
        case 'eth_estimateUserOperationGas':
          return respond(response, await estimateWithFees(request));
        default:
          return respond(response, await forward(bundler.url, request));
      }
    } catch (error) {
      respondError(response, request, -32_603, String(error));
    }
  });
  return {
    url: `${new URL(server.url).origin}/api/v2/${devnet.chainId}/bundler-key`,
    landed: (userOpHash) => readLanded(bundler.url, userOpHash),
    close: async () => {
      await server.close();
      await bundler.close();
    },
  };
}

/** What a bundler tells of the operation with the hash; throws when there is none. */
export async function readLanded(bundlerUrl: string, userOpHash: string): Promise<Landed> {
  const found = await rpcCall(bundlerUrl, 'eth_getUserOperationReceipt', [userOpHash], receiptSchema);
  return { ...found, transactionHash: found.receipt.transactionHash };
}
