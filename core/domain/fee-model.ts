/** How a chain charges a bundle beyond the gas it uses. `none`: it does not. */
export const feeModelNames = ['none', 'op-stack', 'arbitrum', 'scroll', 'mantle', 'linea', 'monad'] as const;
export type FeeModelName = (typeof feeModelNames)[number];

/**
 * The chains of each model, with ids from viem's list of chains (2.57). An OP-stack chain is one that names the
 * `GasPriceOracle`. opBNB, Blast and MegaETH publish data or meter gas differently and are left out.
 */
const chainsOf: Readonly<Record<Exclude<FeeModelName, 'none'>, readonly number[]>> = {
  'op-stack': [
    10, 130, 252, 480, 690, 1_135, 1_301, 1_750, 1_868, 1_923, 1_946, 4_202, 4_801, 5_330, 8_453, 34_443, 57_073,
    60_808, 84_532, 763_373, 7_777_777, 11_155_420, 999_999_999,
  ],
  arbitrum: [42_161, 42_170, 421_614],
  scroll: [534_352, 534_351],
  mantle: [5_000, 5_003],
  linea: [59_144, 59_141],
  monad: [143, 10_143],
};

const modelOf = new Map(
  Object.entries(chainsOf).flatMap(([name, ids]) => ids.map((id) => [id, name as FeeModelName] as const)),
);

/** The model in a chain's configuration, or the known one for its id. */
export function feeModelOf({
  chainId,
  dataFee,
}: {
  readonly chainId: number;
  readonly dataFee?: FeeModelName | undefined;
}): FeeModelName {
  return dataFee ?? modelOf.get(chainId) ?? 'none';
}

/** Whether a chain with this model publishes its data on another chain. */
export function isLayer2(model: FeeModelName): boolean {
  return model !== 'none' && model !== 'monad';
}

/** Chains whose coin is a dollar: Gnosis and Chiado (xDAI), Arc and its test net (USDC, with 18 decimals as gas coin). */
const dollarChains: ReadonlySet<number> = new Set([100, 10_200, 5_042, 5_042_002]);

export function hasDollarCoin(chainId: number): boolean {
  return dollarChains.has(chainId);
}
