import { countPreVerificationGas } from '../../../core/gas/fees/pre-verification-gas.ts';
import { gasScheduleOf } from '../../../core/gas/gas-schedule.ts';
import { BundlerError, type DevBundlerParts, type ReadOperation, toDevOperation } from './sent-operation.ts';

/** Bundlers count the same gas in slightly different ways: this part of our own count, in percent, is enough. */
const leastPercent = 75n;
const wholePercent = 100n;
/** No data floor: the EntryPoint meters more than that. */
const ampleMeteredGas = 30_000_000n;
const basisPoints = 10_000;

/** Refuses what no bundler would carry: it would not be paid for its transaction. */
export async function checkPrice(
  { devnet, config, client }: DevBundlerParts,
  { operation, version }: ReadOperation,
): Promise<void> {
  const { baseFeePerGas } = await devnet.client.getBlock();
  if (operation.maxFeePerGas < (baseFeePerGas ?? 0n)) {
    throw tooLow('maxFeePerGas', operation.maxFeePerGas, baseFeePerGas ?? 0n);
  }
  const { preVerificationGas } = operation;
  const packed = toDevOperation(operation, version, config.eip7702Marker);
  const { needed } = countPreVerificationGas(
    {
      operation: { ...packed, gas: operation },
      entryPoint: devnet.entryPoints[version],
      paymasterAndData: packed.paymasterAndData,
    },
    { schedule: gasScheduleOf(client), meteredGas: ampleMeteredGas, overEstimate: basisPoints },
  );
  const least = (needed * leastPercent) / wholePercent;
  if (preVerificationGas < least) throw tooLow('preVerificationGas', preVerificationGas, least);
}

function tooLow(field: string, sent: bigint, least: bigint): BundlerError {
  return new BundlerError(-32_602, `${field} is ${sent}, but must be at least ${least}`);
}
