/**
 * Which operations the RPC endpoint passes on to a chain's bundler. `NONE`: the endpoint has no bundler methods. `OWN`: those that
 * the paymaster of the apiKey has signed. `ANY`: also those that pay for themselves or that another paymaster pays for.
 */
export const bundlerExposures = ['NONE', 'OWN', 'ANY'] as const;
export type BundlerExposure = (typeof bundlerExposures)[number];

/** A chain's bundler (ERC-7769). `url` may hold a key: it is never answered. */
export type BundlerConfig = { readonly url: string; readonly expose: BundlerExposure };

/** Gas of one operation that bundlers put into a transaction, unless the chain's configuration says otherwise: alto's default. */
export const defaultTransactionGasCap = 16_000_000;
/** Most verification gas, the paymaster's included, that bundlers simulate: rundler's default. */
export const maxVerificationGas = 5_000_000n;
