import type { Address } from 'viem';
import type { WellKnownChain, WellKnownToken } from './well-known-chain.ts';

// The sources of each address. None was checked on chain here: `tollfree doctor` asks each feed for its description.
const chainlink = "Chainlink's list of feeds: data/feeds of @chainlink/mcp-server 0.0.1-alpha.17 on npm";
const aave = "Aave's address book: Chainlink*.sol and tokenlist.json of @bgd-labs/aave-address-book 4.44.22 on npm";
const uniswap = "Uniswap's token list: @uniswap/default-token-list 22.21.0 on npm";
const sushi = "Sushi's token list: @sushiswap/default-token-list 43.3.0 on npm";
const across = "Across's constants: @across-protocol/constants 3.1.127 on npm";
const enzyme = "Enzyme's assets: @enzymefinance/environment 6.3.61 on npm";
const aaveAndUniswap = [aave, uniswap];
const aaveAndAcross = [aave, across];

/** A stablecoin's feed updates at least once a day, plus an hour of delay, in seconds. */
const dailyAnswer = 90_000;

/** The names that the feeds of bridged or wrapped tokens have. */
const feedNames: Readonly<Record<string, string>> = {
  'USD₮0': 'USDT',
  USDt: 'USDT',
  'DAI.e': 'DAI',
  'USDC.e': 'USDC',
  WXDAI: 'DAI',
};

export const wellKnownChains: readonly WellKnownChain[] = [
  {
    key: 'ethereum',
    chainId: 1,
    name: 'Ethereum',
    explorerPageUrl: 'https://etherscan.io',
    coin: 'ETH',
    ceilings: { maxFeePerGas: '200 gwei', maxCostPerOperation: '0.05 ether' },
    feed: { aggregator: '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419', maxAgeSeconds: 7_200, of: 'ETH' },
    feedSources: [chainlink, aave],
    tokens: stablecoins(aaveAndUniswap, [
      ['USDC', 6, '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', '0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6'],
      ['USDT', 6, '0xdAC17F958D2ee523a2206206994597C13D831ec7', '0x3E7d1eAB13ad0104d2750B8863b489D65364e32D'],
      ['DAI', 18, '0x6B175474E89094C44Da98b954EedeAC495271d0F', '0xAed0c38402a5d19df6E4c03F4E2DceD6e29c1ee9'],
    ]),
  },
  {
    key: 'sepolia',
    chainId: 11_155_111,
    name: 'Sepolia',
    explorerPageUrl: 'https://sepolia.etherscan.io',
    coin: 'ETH',
    ceilings: { maxFeePerGas: '200 gwei', maxCostPerOperation: '0.05 ether' },
    feed: { aggregator: '0x694AA1769357215DE4FAC081bf1f309aDC325306', maxAgeSeconds: 7_200, of: 'ETH' },
    feedSources: [chainlink],
    tokens: [],
  },
  {
    key: 'base',
    chainId: 8_453,
    name: 'Base',
    explorerPageUrl: 'https://basescan.org',
    coin: 'ETH',
    ceilings: { maxFeePerGas: '5 gwei', maxCostPerOperation: '0.0005 ether' },
    feed: { aggregator: '0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70', maxAgeSeconds: 3_600, of: 'ETH' },
    sequencerFeed: '0xBCF85224fc0756B9Fa45aA7892530B47e10b6433',
    feedSources: [chainlink, aave],
    tokens: [
      ...stablecoins(aaveAndUniswap, [
        ['USDC', 6, '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', '0x7e860098F58bBFC8648a4311b374B1D669a2bc6B'],
      ]),
      ...stablecoins(
        [across, enzyme],
        [['USDT', 6, '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2', '0xf19d560eB8d2ADf07BD6D13ed03e1D11215721F9']],
      ),
      ...stablecoins(
        [uniswap, across],
        [['DAI', 18, '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb', '0x591e79239a7d679378eC8c847e5038150364C78F']],
      ),
    ],
  },
  {
    key: 'base-sepolia',
    chainId: 84_532,
    name: 'Base Sepolia',
    explorerPageUrl: 'https://sepolia.basescan.org',
    coin: 'ETH',
    ceilings: { maxFeePerGas: '5 gwei', maxCostPerOperation: '0.0005 ether' },
    feed: { aggregator: '0x4aDC67696bA383F43DD60A9e78F2C97Fbbfc7cb1', maxAgeSeconds: 7_200, of: 'ETH' },
    feedSources: [chainlink],
    tokens: [],
  },
  {
    key: 'optimism',
    chainId: 10,
    name: 'OP Mainnet',
    explorerPageUrl: 'https://optimistic.etherscan.io',
    coin: 'ETH',
    ceilings: { maxFeePerGas: '5 gwei', maxCostPerOperation: '0.0005 ether' },
    feed: { aggregator: '0x13e3Ee699D1909E989722E753853AE30b17e08c5', maxAgeSeconds: 3_600, of: 'ETH' },
    sequencerFeed: '0x371EAD81c9102C9BF4874A9075FFFf170F2Ee389',
    feedSources: [chainlink, aave],
    tokens: stablecoins(aaveAndUniswap, [
      ['USDC', 6, '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', '0x16a9FA2FDa030272Ce99B29CF780dFA30361E0f3'],
      ['USDT', 6, '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58', '0xECef79E109e997bCA29c1c0897ec9d7b03647F5E'],
      ['DAI', 18, '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1', '0x8dBa75e83DA73cc766A7e5a0ee71F656BAb470d6'],
    ]),
  },
  {
    key: 'arbitrum',
    chainId: 42_161,
    name: 'Arbitrum One',
    explorerPageUrl: 'https://arbiscan.io',
    coin: 'ETH',
    ceilings: { maxFeePerGas: '5 gwei', maxCostPerOperation: '0.0005 ether' },
    feed: { aggregator: '0x639Fe6ab55C921f74e7fac1ee960C0B6293ba612', maxAgeSeconds: 3_600, of: 'ETH' },
    sequencerFeed: '0xFdB631F5EE196F0ed6FAa767959853A9F217697D',
    feedSources: [chainlink, aave],
    tokens: stablecoins(aaveAndUniswap, [
      ['USDC', 6, '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', '0x50834F3163758fcC1Df9973b6e91f0F0F0434aD3'],
      ['USD₮0', 6, '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9', '0x3f3f5dF88dC9F13eac63DF89EC16ef6e7E25DdE7'],
      ['DAI', 18, '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1', '0xc5C8E77B397E531B8EC06BFb0048328B30E9eCfB'],
    ]),
  },
  {
    key: 'polygon',
    chainId: 137,
    name: 'Polygon',
    explorerPageUrl: 'https://polygonscan.com',
    coin: 'POL',
    ceilings: { maxFeePerGas: '2000 gwei', maxCostPerOperation: '5 ether' },
    stake: '100 ether',
    feed: { aggregator: '0xAB594600376Ec9fD91F8e885dADF0CE036862dE0', maxAgeSeconds: 3_600, of: 'MATIC' },
    feedSources: [chainlink, aave],
    tokens: stablecoins(aaveAndUniswap, [
      ['USDC', 6, '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', '0xfE4A8cc5b5B2366C1B58Bea3858e81843581b2F7'],
      ['USDT', 6, '0xc2132D05D31c914a87C6611C10748AEb04B58e8F', '0x0A6513e40db6EB1b165753AD52E80663aeA50545'],
      ['DAI', 18, '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063', '0x4746DeC9e833A82EC7C2C1356372CcF2cfcD2F3D'],
    ]),
  },
  {
    key: 'bnb',
    chainId: 56,
    name: 'BNB Smart Chain',
    explorerPageUrl: 'https://bscscan.com',
    coin: 'BNB',
    ceilings: { maxFeePerGas: '10 gwei', maxCostPerOperation: '0.005 ether' },
    feed: { aggregator: '0x0567F2323251f0Aab15c8dFb1967E4e8A7D42aeE', maxAgeSeconds: 3_600, of: 'BNB' },
    feedSources: [chainlink, aave],
    tokens: [
      ...stablecoins(aaveAndUniswap, [
        ['USDC', 18, '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d', '0x51597f405303C4377E36123cBc172b13269EA163'],
        ['USDT', 18, '0x55d398326f99059fF775485246999027B3197955', '0xB97Ad0E74fa7d920791E90258A6E2085088b4320'],
      ]),
      ...stablecoins(
        [uniswap, sushi],
        [['DAI', 18, '0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3', '0x132d3C0B1D2cEa0BC552588063bdBb210FDeecfA']],
      ),
    ],
  },
  {
    key: 'avalanche',
    chainId: 43_114,
    name: 'Avalanche C-Chain',
    explorerPageUrl: 'https://snowtrace.io',
    coin: 'AVAX',
    ceilings: { maxFeePerGas: '200 gwei', maxCostPerOperation: '0.2 ether' },
    feed: { aggregator: '0x0A77230d17318075983913bC2145DB16C7366156', maxAgeSeconds: 3_600, of: 'AVAX' },
    feedSources: [chainlink, aave],
    tokens: stablecoins(aaveAndUniswap, [
      ['USDC', 6, '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', '0xF096872672F44d6EBA71458D74fe67F9a77a23B9'],
      ['USDt', 6, '0x9702230A8Ea53601f5cD2dc00fDBc13d4dF4A8c7', '0xEBE676ee90Fe1112671f19b6B7459bC678B67e8a'],
      ['DAI.e', 18, '0xd586E7F844cEa2F87f50152665BCbc2C279D8d70', '0x51D7180edA2260cc4F6e4EebB82FEF5c3c2B8300'],
    ]),
  },
  {
    key: 'gnosis',
    chainId: 100,
    name: 'Gnosis',
    explorerPageUrl: 'https://gnosisscan.io',
    coin: 'DAI',
    ceilings: { maxFeePerGas: '100 gwei', maxCostPerOperation: '0.5 ether' },
    feed: { aggregator: '0x678df3415fc31947dA4324eC63212874be5a82f8', maxAgeSeconds: dailyAnswer, of: 'DAI' },
    feedSources: [chainlink, aave],
    tokens: [
      ...stablecoins(
        [aave],
        [['USDC.e', 6, '0x2a22f9c3b484c3629090FeED35F17Ff8F88f76F0', '0x26C31ac71010aF62E6B486D1132E266D6298857D']],
      ),
      ...stablecoins(
        [aave, sushi],
        [['WXDAI', 18, '0xe91D153E0b41518A2Ce8Dd3D7944Fa863463a97d', '0x678df3415fc31947dA4324eC63212874be5a82f8']],
      ),
    ],
  },
  {
    key: 'linea',
    chainId: 59_144,
    name: 'Linea',
    explorerPageUrl: 'https://lineascan.build',
    coin: 'ETH',
    ceilings: { maxFeePerGas: '5 gwei', maxCostPerOperation: '0.0005 ether' },
    feed: { aggregator: '0x3c6Cd9Cc7c7a4c2Cf5a82734CD249D7D593354dA', maxAgeSeconds: dailyAnswer, of: 'ETH' },
    feedSources: [chainlink, aave],
    tokens: stablecoins(aaveAndAcross, [
      ['USDC', 6, '0x176211869cA2b568f2A7D4EE941E073a821EE1ff', '0xAADAa473C1bDF7317ec07c915680Af29DeBfdCb5'],
      ['USDT', 6, '0xA219439258ca9da29E9Cc4cE5596924745e12B93', '0xefCA2bbe0EdD0E22b2e0d2F8248E99F4bEf4A7dB'],
    ]),
  },
  {
    key: 'scroll',
    chainId: 534_352,
    name: 'Scroll',
    explorerPageUrl: 'https://scrollscan.com',
    coin: 'ETH',
    ceilings: { maxFeePerGas: '5 gwei', maxCostPerOperation: '0.0005 ether' },
    feed: { aggregator: '0x6bF14CB0A831078629D993FDeBcB182b21A8774C', maxAgeSeconds: dailyAnswer, of: 'ETH' },
    sequencerFeed: '0x45c2b8C204568A03Dc7A2E32B71D67Fe97F908A9',
    feedSources: [chainlink, aave],
    tokens: [
      ...stablecoins(aaveAndAcross, [
        ['USDC', 6, '0x06eFdBFf2a14a7c8E15944D1F4A48F9F95F663A4', '0x43d12Fb3AfCAd5347fA764EeAB105478337b7200'],
      ]),
      ...stablecoins(
        [sushi, across],
        [['USDT', 6, '0xf55BEC9cafDbE8730f096Aa55dad6D22d44099Df', '0xf376A91Ae078927eb3686D6010a6f1482424954E']],
      ),
    ],
  },
];

export function findWellKnownChain(nameOrId: string): WellKnownChain | undefined {
  return wellKnownChains.find(({ key, chainId }) => key === nameOrId.toLowerCase() || String(chainId) === nameOrId);
}

/** Stablecoins whose addresses are in the same lists. */
function stablecoins(
  sources: readonly string[],
  rows: readonly (readonly [symbol: string, decimals: number, address: Address, aggregator: Address])[],
): readonly WellKnownToken[] {
  return rows.map(([symbol, decimals, address, aggregator]) => {
    const feed = { aggregator, maxAgeSeconds: dailyAnswer, of: feedNames[symbol] ?? symbol };
    return { symbol, address, decimals, feed, sources };
  });
}
