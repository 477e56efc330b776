/** What 10^18 wei of a chain are worth now, in millionths of a USD; undefined when there is no price. */
export type CoinPrice = (chainId: number) => Promise<bigint | undefined>;
