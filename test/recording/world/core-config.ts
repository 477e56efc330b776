import { parseEther, parseGwei } from 'viem';
import type { DatabaseAddress } from '../../../core/base/values/database-address.ts';
import { Secret } from '../../../core/base/values/secret.ts';
import type { ChainConfig, CoreConfig, PriceConfig } from '../../../core/domain/core-config.ts';
import { devCoreConfig } from '../../../server/dev/dev-core-config.ts';
import { type Devnet, devnetFamilies } from '../../../server/dev/devnet/devnet.ts';
import { accountOf, keyOf } from './keys.ts';

/** What the operator can change between two starts of the service. Everything is off when absent. */
export type Setting = {
  /** The key signs in a server of its own. */
  readonly remoteSigner?: boolean;
  /** The service asks the node through the recording, which can let it fail. */
  readonly nodeCanFail?: boolean;
  readonly vendor?: boolean;
  readonly relay?: boolean;
  /** Prices come from a server. */
  readonly servedPrices?: boolean;
  /** Millionths of a USD for the other paymaster in a day. */
  readonly vendorUsdMicros?: number;
  readonly maxOpenHoldsPerSender?: number;
  readonly maxOpenHoldsPerClient?: number;
  readonly maxShareOfTankPerSender?: number;
  readonly maxShareOfTankLastingLong?: number;
  readonly maxShareOfTankWithoutExpiry?: number;
  readonly maxUnpaidSharePerSender?: number;
  readonly maxUnpaidSharePerPaymaster?: number;
  /** Wei. */
  readonly maxCostPerOperation?: string;
  /** Wei per gas. */
  readonly maxFeePerGasCeiling?: string;
  readonly confirmations?: number;
  /** Only the relay's executors may carry signed operations. */
  readonly bundlersAreNamed?: boolean;
  readonly maxSecondsByPolicy?: number;
};

/** The setting at the beginning of a recording. */
export const firstSetting: Setting = { relay: true, vendor: true };

/** The addresses of the other parties. */
export type Parties = {
  readonly devnet: Devnet;
  readonly startBlock: bigint;
  readonly database: DatabaseAddress;
  readonly nodeUrl: string;
  readonly signerUrl: string;
  readonly bundlerUrl: string;
  readonly vendor: { readonly url: string; readonly paymaster: `0x${string}` };
  readonly webhookUrl: string;
};

/** The version of a paymaster contract that does not accept the service's key. */
export const foreignVersion = '9.0.0';

/** The watcher looks only when it is asked to, so that a recording knows what it has seen. */
const never = 86_400_000;

export function coreConfigOf(parties: Parties, setting: Setting): CoreConfig {
  const { devnet, startBlock, database } = parties;
  const state = {
    databaseFile: '',
    masterKey: new Secret<Uint8Array>(Uint8Array.from({ length: 32 }, (_, index) => index + 1)),
    signerKey: new Secret(keyOf('signer')),
  };
  const config = devCoreConfig(devnet, state, startBlock);
  const { maxSecondsByPolicy = 86_400 } = setting;
  return {
    ...config,
    database,
    validity: { ...config.validity, maxSecondsByPolicy },
    holds: holdCapsOf(setting),
    tokenPayments: {
      maxUnpaidSharePerSender: setting.maxUnpaidSharePerSender ?? 1,
      maxUnpaidSharePerPaymaster: setting.maxUnpaidSharePerPaymaster ?? 1,
    },
    chains: config.chains.map((chain) => chainOf(chain, parties, setting)),
  };
}

const wide = 1_000_000;

function holdCapsOf(setting: Setting): NonNullable<CoreConfig['holds']> {
  return {
    maxOpenHoldsPerSender: setting.maxOpenHoldsPerSender ?? wide,
    maxShareOfTankPerSender: setting.maxShareOfTankPerSender ?? 1,
    maxOpenHoldsPerClient: setting.maxOpenHoldsPerClient ?? wide,
    maxShareOfTankPerClient: 1,
    maxShareOfTankWithoutExpiry: setting.maxShareOfTankWithoutExpiry ?? 1,
    maxShareOfTankLastingLong: setting.maxShareOfTankLastingLong ?? 1,
  };
}

function chainOf(chain: ChainConfig, parties: Parties, setting: Setting): ChainConfig {
  const { devnet, nodeUrl, signerUrl, webhookUrl, vendor } = parties;
  const foreign = {
    version: foreignVersion,
    family: devnetFamilies['0.7'],
    address: vendor.paymaster,
    tokenRecipient: devnet.tokenRecipient,
  };
  const served: PriceConfig = {
    sources: [{ kind: 'http', url: `${webhookUrl}/price`, path: 'usd', maxAgeSeconds: 600, allowHttp: true }],
    minimumSources: 1,
    maximumDeviationBasisPoints: 200,
  };
  const { address } = accountOf('signer');
  return {
    ...chain,
    nodeUrls: [setting.nodeCanFail === true ? nodeUrl : devnet.rpcUrl],
    callTimeoutMs: 20_000,
    pollIntervalMs: never,
    paymasterContracts: [...chain.paymasterContracts, foreign],
    confirmations: setting.confirmations ?? 0,
    maxCostPerOperation: BigInt(setting.maxCostPerOperation ?? parseEther('1')),
    maxFeePerGasCeiling: BigInt(setting.maxFeePerGasCeiling ?? parseGwei('500')),
    ...(setting.servedPrices === true ? { nativePrice: served } : {}),
    ...(setting.remoteSigner === true
      ? { signer: { kind: 'eth-sign' as const, address, url: signerUrl, timeoutMs: 5_000 } }
      : {}),
    ...(setting.bundlersAreNamed === true ? { allowedBundlers: [accountOf('executor').address] } : {}),
    ...(setting.vendor === true ? { vendor: vendorOf(parties, setting) } : {}),
    ...(setting.relay === true ? { relay: relayOf(parties) } : {}),
  };
}

const muchUsdMicros = 10n ** 12n;

function vendorOf({ vendor }: Parties, { vendorUsdMicros }: Setting): NonNullable<ChainConfig['vendor']> {
  const usdMicros = vendorUsdMicros === undefined ? muchUsdMicros : BigInt(vendorUsdMicros);
  return {
    url: new Secret(vendor.url),
    context: {},
    accounts: 'all',
    paymasters: [vendor.paymaster],
    budget: { usdMicrosPerDay: usdMicros, usdMicrosPerMonth: 2n * usdMicros, maxSharePerClient: 0.75 },
    maxPaymasterGas: 200_000,
    timeoutMs: 10_000,
  };
}

function relayOf({ bundlerUrl }: Parties): NonNullable<ChainConfig['relay']> {
  return { kind: 'ALTO', url: bundlerUrl, executors: [accountOf('executor').address], entryPoint: '0.8' };
}
