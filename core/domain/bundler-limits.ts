/** Gas of one operation that bundlers put into a transaction, unless the chain's configuration says otherwise: alto's default. */
export const defaultTransactionGasCap = 16_000_000;
/** Most verification gas, the paymaster's included, that bundlers simulate: rundler's default. */
export const maxVerificationGas = 5_000_000n;
