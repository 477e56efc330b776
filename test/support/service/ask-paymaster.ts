import { type Address, type Hex, isHex, numberToHex } from 'viem';
import { z } from 'zod';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { DevUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { toRpcUserOperation } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { askRpc, type RpcAnswer } from './chain-rpc.ts';
import type { ClientLab } from './client-lab.ts';

type Way = { readonly version: EntryPointVersion; readonly rpcUrl: string };

const zeroLimits = { callGasLimit: '0x0', verificationGasLimit: '0x0', preVerificationGas: '0x0' };

/** Asks one of the methods of ERC-7677 the way clients do: limits that are not known are 0. `extra` goes into the operation. */
export function askPaymaster(
  lab: ClientLab,
  method: 'pm_getPaymasterStubData' | 'pm_getPaymasterData',
  way: Way,
  asked: { operation: DevUserOperation; context?: unknown; extra?: object },
): Promise<RpcAnswer> {
  const { operation, context = null, extra = {} } = asked;
  const sent = { ...zeroLimits, ...toRpcUserOperation(operation), ...extra };
  return askRpc(way.rpcUrl, method, [
    sent,
    lab.devnet.entryPoints[way.version],
    numberToHex(lab.devnet.chainId),
    context,
  ]);
}

const hex = z.custom<Hex>((value) => isHex(value));
const limit = hex.transform((value) => BigInt(value)).optional();
const fieldsSchema = z.strictObject({
  sponsor: z.strictObject({ name: z.string() }).optional(),
  paymaster: hex.optional(),
  paymasterData: hex.optional(),
  paymasterAndData: hex.optional(),
  paymasterVerificationGasLimit: limit,
  paymasterPostOpGasLimit: limit,
  callGasLimit: limit,
  verificationGasLimit: limit,
  preVerificationGas: limit,
  validUntil: z.int().optional(),
});
export type PaymasterFields = z.output<typeof fieldsSchema>;

/** What was answered; throws with the refusal when nothing was, and for a field that no client expects. */
export function paymasterFields(answer: RpcAnswer): PaymasterFields {
  if (answer.code !== undefined) throw new Error(`refused (${answer.reason}): ${answer.message}`);
  return fieldsSchema.parse(answer.result);
}

const limitsSchema = z.object({
  callGasLimit: hex.transform(BigInt),
  verificationGasLimit: hex.transform(BigInt),
  preVerificationGas: hex.transform(BigInt),
});

/** The operation with the limits that the bundler estimates for it with the stub, as clients ask for them. */
export async function estimated(lab: ClientLab, way: Way, operation: DevUserOperation): Promise<DevUserOperation> {
  const stub = paymasterFields(await askPaymaster(lab, 'pm_getPaymasterStubData', way, { operation }));
  const sent = toRpcUserOperation(withPaymaster(operation, stub));
  const { result } = await askRpc(lab.bundler.url, 'eth_estimateUserOperationGas', [
    sent,
    lab.devnet.entryPoints[way.version],
  ]);
  return { ...operation, ...limitsSchema.parse(result) };
}

/** The operation with the answer in it, as a client puts it together. */
export function withPaymaster(operation: DevUserOperation, fields: PaymasterFields): DevUserOperation {
  const { callGasLimit, verificationGasLimit, preVerificationGas } = fields;
  return {
    ...operation,
    ...(callGasLimit === undefined ? {} : { callGasLimit }),
    ...(verificationGasLimit === undefined ? {} : { verificationGasLimit }),
    ...(preVerificationGas === undefined ? {} : { preVerificationGas }),
    paymasterAndData: packed(fields),
  };
}

function packed(fields: PaymasterFields): Hex {
  if (fields.paymasterAndData !== undefined) return fields.paymasterAndData;
  const { paymaster = '0x', paymasterData = '0x' } = fields;
  const limits = [fields.paymasterVerificationGasLimit, fields.paymasterPostOpGasLimit].map((gas = 0n) =>
    numberToHex(gas, { size: 16 }).slice(2),
  );
  return `${paymaster}${limits.join('')}${paymasterData.slice(2)}`;
}

/** The address that is not the paymaster's EntryPoint. */
export function foreignEntryPoint(lab: ClientLab, version: EntryPointVersion): Address {
  return lab.devnet.entryPoints[version === '0.7' ? '0.8' : '0.7'];
}
