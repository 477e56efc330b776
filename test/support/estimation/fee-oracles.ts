import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Address, type Hex, numberToHex, parseAbi, parseGwei } from 'viem';
import { gasPriceOracle } from '../../../core/gas/fees/find-fee-model.ts';
import { scrollOracleAddress } from '../../../core/gas/fees/oracle-data-fee.ts';
import { compileSolidity } from '../../../tools/compile-solidity.ts';
import { runSolc } from '../../../tools/run-solc.ts';
import type { EstimationBench } from './estimation-bench.ts';

const standIns = compileSolidity(new URL('../../gas/contracts/DataFees.sol', import.meta.url).pathname);

/** Puts one of the stand-ins for a chain's own contract at its address. */
export async function placeStandIn(
  bench: Pick<EstimationBench, 'devnet'>,
  name: string,
  address: Address = gasPriceOracle,
) {
  const bytecode = standIns.get(name)?.runtimeBytecode;
  if (bytecode === undefined) throw new Error(`${name} did not compile.`);
  await bench.devnet.client.setCode({ address, bytecode });
}

/** What Scroll's oracle computes with, of the size that it has on the chain: both scalars and the penalty have nine decimals. */
export const scrollPrices = {
  l1BaseFee: parseGwei('2'),
  l1BlobBaseFee: parseGwei('1'),
  commitScalar: 2_394_981_796n,
  blobScalar: 1_019_097_245n,
  penaltyFactor: 10_000n,
};

/** `L1GasPriceOracle` as Scroll publishes it, since Galileo, in place of the predeploy. */
export async function placeScrollOracle({ devnet }: EstimationBench): Promise<void> {
  await devnet.client.setCode({ address: scrollOracleAddress, bytecode: compileScrollOracle() });
  // In the order of its declarations; slot 12 says that Galileo is active.
  const slots: readonly (readonly [slot: number, value: bigint])[] = [
    [1, scrollPrices.l1BaseFee],
    [5, scrollPrices.l1BlobBaseFee],
    [6, scrollPrices.commitScalar],
    [7, scrollPrices.blobScalar],
    [10, scrollPrices.penaltyFactor],
    [12, 1n],
  ];
  for (const [slot, value] of slots) {
    await devnet.client.setStorageAt({
      address: scrollOracleAddress,
      index: numberToHex(slot, { size: 32 }),
      value: numberToHex(value, { size: 32 }),
    });
  }
}

export const scrollOracleAbi = parseAbi([
  'function getL1Fee(bytes data) view returns (uint256)',
  'function isGalileo() view returns (bool)',
]);

function compileScrollOracle(): Hex {
  const requireHere = createRequire(import.meta.url);
  const files = [
    'L2/predeploys/L1GasPriceOracle.sol',
    'L2/predeploys/IL1GasPriceOracle.sol',
    'libraries/common/OwnableBase.sol',
    'libraries/common/IWhitelist.sol',
  ];
  // The compiler that tests have is a later one of the same series.
  const content = (file: string) =>
    readFileSync(requireHere.resolve(`@scroll-tech/contracts/${file}`), 'utf8').replace('=0.8.24', '^0.8.24');
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(files.map((file) => [file, { content: content(file) }])),
    settings: {
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { 'L2/predeploys/L1GasPriceOracle.sol': { '*': ['evm.deployedBytecode.object'] } },
    },
  };
  const output = JSON.parse(runSolc(JSON.stringify(input)));
  const object =
    output.contracts?.['L2/predeploys/L1GasPriceOracle.sol']?.L1GasPriceOracle?.evm.deployedBytecode.object;
  if (typeof object !== 'string') throw new Error(`Scroll's oracle did not compile: ${JSON.stringify(output.errors)}`);
  return `0x${object}`;
}
