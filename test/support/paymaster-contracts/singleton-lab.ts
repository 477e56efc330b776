import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, hexToBigInt, toHex } from 'viem';
import { z } from 'zod';
import type { EntryPointVersion } from '../../../core/domain/entry-point-version.ts';
import type { SponsorshipMode } from '../../../core/domain/sponsorship.ts';
import { mainnetPrices } from '../../../core/domain/unit-prices.ts';
import type { UserOperationWithGas } from '../../../core/domain/user-operation.ts';
import { packUserOperation } from '../../../core/evm/entry-point/packed-user-operation.ts';
import { toUserOperation06 } from '../../../core/evm/entry-point/v0.6.ts';
import { paymasterContractFamilies } from '../../../core/evm/paymaster-contracts/families.ts';
import type {
  PaymasterContract,
  PaymasterContractFamily,
  SignedTerms,
} from '../../../core/evm/paymaster-contracts/family/family.ts';
import { type Devnet, devnetFamilies } from '../../../server/dev/devnet/devnet.ts';
import { type DeployedPaymaster, startPaymasterLab } from './paymaster-lab.ts';
import { singleton06Abi, singleton07Abi } from './singleton-abi.ts';

const traceSchema = z.object({
  error: z.string().optional(),
  calls: z
    .array(z.object({ logs: z.array(z.object({ data: z.templateLiteral(['0x', z.string()]) })).optional() }))
    .optional(),
});

/** A chain with the published singletons on it, and their signer. */
export async function startSingletonLab() {
  const lab = await startPaymasterLab();
  return { ...lab, ...contractCalls(lab.devnet) };
}

/** The EntryPoints that Pimlico has published a singleton for. On later ones the chain has Tollfree's own contract. */
export const singletonVersions = ['0.6', '0.7', '0.8'] as const satisfies readonly EntryPointVersion[];

export type SingletonLab = Awaited<ReturnType<typeof startSingletonLab>>;

export function singletonFamily(version: EntryPointVersion): PaymasterContractFamily {
  const family = paymasterContractFamilies.get(devnetFamilies[version]);
  if (family === undefined) throw new Error(`no family for ${version}`);
  return family;
}

export function singletonContract(devnet: Devnet, version: EntryPointVersion): PaymasterContract {
  const address = devnet.paymasterContracts[devnetFamilies[version]];
  return { chainId: devnet.chainId, address, entryPoint: devnet.entryPoints[version] };
}

/** The published singleton of a version. */
export function singleton({ devnet }: SingletonLab, version: EntryPointVersion): DeployedPaymaster {
  return { contract: singletonContract(devnet, version), family: singletonFamily(version) };
}

function contractCalls(devnet: Devnet) {
  const modeNumber = (mode: SponsorshipMode) => (mode === 'SPONSORED' ? 0 : 1);

  async function callAsEntryPoint(version: EntryPointVersion, data: Hex): Promise<Hex> {
    const { address, entryPoint } = singletonContract(devnet, version);
    const answer = await devnet.client.call({ account: entryPoint, to: address, data, gas: 10_000_000n });
    return answer.data ?? '0x';
  }

  return {
    /** The contract's own digest. */
    getHash(mode: SponsorshipMode, operation: UserOperationWithGas, paymasterAndData: Hex): Promise<Hex> {
      const { address } = singletonContract(devnet, operation.entryPointVersion);
      const call = { address, functionName: 'getHash' } as const;
      if (operation.entryPointVersion === '0.6') {
        const args = [modeNumber(mode), toUserOperation06(operation, paymasterAndData)] as const;
        return devnet.client.readContract({ ...call, abi: singleton06Abi, args });
      }
      const args = [modeNumber(mode), packUserOperation(operation, paymasterAndData)] as const;
      return devnet.client.readContract({ ...call, abi: singleton07Abi, args });
    },

    /** What validation answers to the EntryPoint. `signatureAccepted` is the contract's word on the signer. */
    async validate(operation: UserOperationWithGas, paymasterAndData: Hex) {
      const hash: Hex = `0x${'77'.repeat(32)}`;
      const functionName = 'validatePaymasterUserOp';
      const data =
        operation.entryPointVersion === '0.6'
          ? encodeFunctionData({
              abi: singleton06Abi,
              functionName,
              args: [toUserOperation06(operation, paymasterAndData), hash, 1n],
            })
          : encodeFunctionData({
              abi: singleton07Abi,
              functionName,
              args: [packUserOperation(operation, paymasterAndData), hash, 1n],
            });
      const answer = await callAsEntryPoint(operation.entryPointVersion, data);
      const [context, packed] = decodeFunctionResult({ abi: singleton07Abi, functionName, data: answer });
      return {
        context,
        signatureAccepted: BigInt.asUintN(160, packed) === 0n,
        validUntil: Number((packed >> 160n) & 0xffffffffffffn),
        validAfter: Number(packed >> 208n),
      };
    },

    /** Token base units that postOp moves when the EntryPoint names this cost. */
    async chargeOf(version: EntryPointVersion, context: Hex, cost: bigint, feePerGas: bigint): Promise<bigint> {
      const { address, entryPoint } = singletonContract(devnet, version);
      const functionName = 'postOp';
      const data =
        version === '0.6'
          ? encodeFunctionData({ abi: singleton06Abi, functionName, args: [0, context, cost] })
          : encodeFunctionData({ abi: singleton07Abi, functionName, args: [0, context, cost, feePerGas] });
      const answer: unknown = await devnet.client.request<{
        Method: 'debug_traceCall';
        Parameters: unknown[];
        ReturnType: unknown;
      }>({
        method: 'debug_traceCall',
        params: [
          { from: entryPoint, to: address, data, gas: toHex(5_000_000) },
          'latest',
          { tracer: 'callTracer', tracerConfig: { withLog: true } },
        ],
      });
      const trace = traceSchema.parse(answer);
      const transfer = trace.calls?.flatMap(({ logs }) => logs ?? [])[0];
      if (trace.error !== undefined || transfer === undefined) throw new Error(`postOp moved nothing: ${trace.error}`);
      return hexToBigInt(transfer.data);
    },
  };
}

/** Terms of each mode whose token is one of the chain's. */
export function termsOf(
  mode: SponsorshipMode,
  token: Address,
  tokenRecipient: Address,
  exchangeRate = 10n ** 18n,
): SignedTerms {
  const window = { validUntil: 4_000_000_000, validAfter: 1_000 };
  return mode === 'SPONSORED'
    ? { mode, ...window, fundingWallet: tokenRecipient, priceMarkup: 1_000_000 }
    : { mode, ...window, token, tokenRecipient, exchangeRate, prices: mainnetPrices };
}
