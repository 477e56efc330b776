import { createRequire } from 'node:module';
import { type Abi, type AbiFunction, multicall3Abi, toFunctionSignature } from 'viem';
import { expect, test } from 'vitest';
import { whatItCallsBack } from '../../contract/methods-that-call-back.ts';

const require = createRequire(import.meta.url);

/** The ABI of OpenZeppelin's interface of a standard. */
function published(name: string): Abi {
  return (require(`@openzeppelin/contracts-4/build/contracts/${name}.json`) as { readonly abi: Abi }).abi;
}

/** The state-changing methods of an ABI that are known to call back, by name, and the others. */
function sorted(abi: Abi) {
  const methods = abi.filter(
    (item): item is AbiFunction =>
      item.type === 'function' && item.stateMutability !== 'view' && item.stateMutability !== 'pure',
  );
  const named = (isKnown: boolean) => [
    ...new Set(
      methods
        .filter((method) => (whatItCallsBack(toFunctionSignature(method)) !== undefined) === isKnown)
        .map(({ name }) => name),
    ),
  ];
  return { named: named(true).sort(), others: named(false).sort() };
}

test.each([
  ['IERC721', ['safeTransferFrom'], ['approve', 'setApprovalForAll', 'transferFrom']],
  ['IERC1155', ['safeBatchTransferFrom', 'safeTransferFrom'], ['setApprovalForAll']],
  ['IERC777', ['burn', 'operatorBurn', 'operatorSend', 'send'], ['authorizeOperator', 'revokeOperator']],
  ['IERC3156FlashLender', ['flashLoan'], []],
  ['IERC1363', ['approveAndCall', 'transferAndCall', 'transferFromAndCall'], ['approve', 'transfer', 'transferFrom']],
])('of the published %s the methods that call back are named, and no others', (name, expected, others) => {
  expect(sorted(published(name))).toEqual({ named: expected, others });
});

test('of Multicall3 the method that calls what the caller names', () => {
  const method = multicall3Abi.find(({ name }) => name === 'aggregate3') ?? expect.fail('There is none.');
  expect(whatItCallsBack(toFunctionSignature(method))).toContain('every address that the caller names');
});

test('it says what is called and from where it is known', () => {
  expect(whatItCallsBack('safeMint(address,uint256)')).toBe('calls the receiver (ERC-721)');
  expect(whatItCallsBack('mint(address,uint256)')).toBeUndefined();
});
