import { parseEther, parseGwei } from 'viem';
import type { CoreConfig, PriceConfig } from '../../core/domain/core-config.ts';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { DevState } from './dev-state.ts';
import { type Devnet, devnetFamilies } from './devnet/devnet.ts';

/** The paymaster version for each EntryPoint version on the development chain: `1.0.0` for the first, and so on. */
export const devPaymasterVersions = Object.fromEntries(
  entryPointVersions.map((version, index) => [version, `${index + 1}.0.0`]),
) as Readonly<Record<EntryPointVersion, string>>; // of every version

/** Made-up prices in USD. */
export const nativePriceUsd = '2000';
const tokenPricesUsd: Readonly<Record<string, string>> = { devUSD: '1', devTKN: '2.5' };

/** Of `DevToken`, whose first three slots have its name, symbol and supply. */
const slotsOfDevToken = { balanceSlot: 3n, allowanceSlot: 4n };

/** A fixed price, which must be configured explicitly. */
function madeUpPrice(usd: string): PriceConfig {
  return { sources: [{ kind: 'fixed', usd }], minimumSources: 1, maximumDeviationBasisPoints: 200 };
}

/** The parts of a development chain that the configuration uses. */
export type ConfiguredDevnet = Pick<
  Devnet,
  'chainId' | 'rpcUrl' | 'entryPoints' | 'paymasterContracts' | 'tokens' | 'tokenRecipient'
>;

/** The core's configuration for a development chain: a raw key, fixed prices, webhooks on loopback, no confirmations. */
export function devCoreConfig(
  devnet: ConfiguredDevnet,
  state: Pick<DevState, 'databaseFile' | 'masterKey' | 'signerKey'>,
  startBlock: bigint,
): CoreConfig {
  return {
    database: { kind: 'sqlite', file: state.databaseFile },
    masterKey: state.masterKey,
    chains: [
      {
        chainId: devnet.chainId,
        name: 'Development chain',
        nodeUrls: [devnet.rpcUrl],
        callTimeoutMs: 3_000,
        entryPoints: devnet.entryPoints,
        paymasterContracts: entryPointVersions.map((version) => ({
          version: devPaymasterVersions[version],
          family: devnetFamilies[version],
          address: devnet.paymasterContracts[devnetFamilies[version]],
          tokenRecipient: devnet.tokenRecipient,
        })),
        tokens: devnet.tokens.map(({ symbol, address, decimals }) => ({
          ...slotsOfDevToken,
          symbol,
          address,
          decimals,
          logoUrl: '',
          premiumBasisPoints: 1_000,
          price: madeUpPrice(tokenPricesUsd[symbol] ?? '1'),
        })),
        nativePrice: madeUpPrice(nativePriceUsd),
        signer: { kind: 'raw', privateKey: state.signerKey },
        confirmations: 0,
        pollIntervalMs: 200,
        startBlock,
        maxFeePerGasCeiling: parseGwei('500'),
        maxCostPerOperation: parseEther('1'),
      },
    ],
    webhooks: { allowHttp: true, allowedRanges: ['127.0.0.0/8', '::1/128'], timeoutMs: 2_000, connectTimeoutMs: 500 },
    validity: { defaultSeconds: 300, minSeconds: 60, maxSeconds: 600 },
    decisions: { keepDays: 30, keepMost: 1_000_000 },
    signUp: 'open',
  };
}
