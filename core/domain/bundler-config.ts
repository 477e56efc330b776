/**
 * Which operations the RPC endpoint forwards to a chain's bundler. `NONE`: the endpoint has no bundler methods. `OWN`: those
 * signed by the apiKey's paymaster. `ANY`: also those that pay for themselves or use another paymaster.
 */
export const bundlerExposures = ['NONE', 'OWN', 'ANY'] as const;
export type BundlerExposure = (typeof bundlerExposures)[number];

/** A chain's bundler (ERC-7769). `url` may contain a key and is never returned. */
export type BundlerConfig = { readonly url: string; readonly expose: BundlerExposure };

/** Most gas of one operation in a bundler's transaction, unless the chain's configuration says otherwise: alto's default. */
export const defaultTransactionGasCap = 16_000_000;
/** Most verification gas, including the paymaster's, that bundlers simulate: rundler's default. */
export const maxVerificationGas = 5_000_000n;
