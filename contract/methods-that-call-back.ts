/**
 * Methods that call an address which the caller of the method chooses, with as much gas as is left. Code there can use up the
 * gas of a sponsored operation, or set and clear storage for the refund, so a cap on the gas of such operations is advised.
 */

/** What a method calls, and the standard or the contract that it is known from. */
type CallsBack = { readonly calls: string; readonly from: string };

const receiver = 'the receiver';
const borrower = 'the borrower';
const pool = 'tokens and pools that the caller names';
const coinReceiver = 'the receiver of the coin';

/** By canonical signature. A contract may have such a method under another name: the list is a help, not a check. */
const known: readonly (CallsBack & { readonly signatures: readonly string[] })[] = [
  {
    from: 'ERC-721',
    calls: receiver,
    signatures: [
      'safeTransferFrom(address,address,uint256)',
      'safeTransferFrom(address,address,uint256,bytes)',
      'safeMint(address)',
      'safeMint(address,uint256)',
      'safeMint(address,uint256,bytes)',
      'safeMint(address,string)',
      'safeMint(address,uint256,string)',
    ],
  },
  {
    from: 'ERC-1155',
    calls: receiver,
    signatures: [
      'safeTransferFrom(address,address,uint256,uint256,bytes)',
      'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
      'mint(address,uint256,uint256,bytes)',
      'mintBatch(address,uint256[],uint256[],bytes)',
    ],
  },
  {
    from: 'ERC-777',
    calls: 'the sender and the receiver',
    signatures: [
      'send(address,uint256,bytes)',
      'operatorSend(address,address,uint256,bytes,bytes)',
      'burn(uint256,bytes)',
      'operatorBurn(address,uint256,bytes,bytes)',
    ],
  },
  {
    from: 'ERC-1363 and ERC-677',
    calls: receiver,
    signatures: [
      'transferAndCall(address,uint256)',
      'transferAndCall(address,uint256,bytes)',
      'transferFromAndCall(address,address,uint256)',
      'transferFromAndCall(address,address,uint256,bytes)',
    ],
  },
  {
    from: 'ERC-1363',
    calls: 'the spender',
    signatures: ['approveAndCall(address,uint256)', 'approveAndCall(address,uint256,bytes)'],
  },
  { from: 'ERC-3156', calls: borrower, signatures: ['flashLoan(address,address,uint256,bytes)'] },
  {
    from: 'Aave 3',
    calls: borrower,
    signatures: [
      'flashLoan(address,address[],uint256[],uint256[],address,bytes,uint16)',
      'flashLoanSimple(address,address,uint256,bytes,uint16)',
    ],
  },
  { from: 'Balancer 2', calls: borrower, signatures: ['flashLoan(address,address[],uint256[],bytes)'] },
  {
    from: 'Uniswap 2 pair',
    calls: 'the receiver, if there is data',
    signatures: ['swap(uint256,uint256,address,bytes)'],
  },
  {
    from: 'Uniswap 3 pool',
    calls: 'the caller',
    signatures: [
      'flash(address,uint256,uint256,bytes)',
      'swap(address,bool,int256,uint160,bytes)',
      'mint(address,int24,int24,uint128,bytes)',
    ],
  },
  { from: 'Uniswap 4 pool manager', calls: 'the caller', signatures: ['unlock(bytes)'] },
  {
    from: 'Uniswap 2 router',
    calls: pool,
    signatures: [
      'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
      'swapTokensForExactTokens(uint256,uint256,address[],address,uint256)',
      'swapExactETHForTokens(uint256,address[],address,uint256)',
      'swapETHForExactTokens(uint256,address[],address,uint256)',
      'swapExactTokensForETH(uint256,uint256,address[],address,uint256)',
      'swapTokensForExactETH(uint256,uint256,address[],address,uint256)',
    ],
  },
  {
    from: 'Uniswap 3 router',
    calls: pool,
    signatures: [
      'exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))',
      'exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))',
      'exactInput((bytes,address,uint256,uint256,uint256))',
      'exactInput((bytes,address,uint256,uint256))',
      'exactOutputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))',
      'exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))',
      'exactOutput((bytes,address,uint256,uint256,uint256))',
      'exactOutput((bytes,address,uint256,uint256))',
    ],
  },
  {
    from: 'Uniswap universal router',
    calls: pool,
    signatures: ['execute(bytes,bytes[],uint256)', 'execute(bytes,bytes[])'],
  },
  {
    from: 'Uniswap 3 periphery',
    calls: coinReceiver,
    signatures: ['unwrapWETH9(uint256,address)', 'refundETH()'],
  },
  {
    from: 'Multicall3',
    calls: 'every address that the caller names',
    signatures: [
      'aggregate((address,bytes)[])',
      'tryAggregate(bool,(address,bytes)[])',
      'aggregate3((address,bool,bytes)[])',
      'aggregate3Value((address,bool,uint256,bytes)[])',
    ],
  },
];

const bySignature: ReadonlyMap<string, CallsBack> = new Map(
  known.flatMap(({ signatures, ...callsBack }) => signatures.map((signature) => [signature, callsBack] as const)),
);

/** What the method calls that its caller chooses, e.g. `calls the receiver (ERC-721)`; undefined if it is not in the list. */
export function whatItCallsBack(signature: string): string | undefined {
  const found = bySignature.get(signature);
  return found && `calls ${found.calls} (${found.from})`;
}
