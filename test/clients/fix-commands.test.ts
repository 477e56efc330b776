import { expect, test } from 'vitest';
import { fixSteps } from '../../clients/cli/fix-commands.ts';

const contractOf = (version: string) => ({
  version,
  family: 'pimlico-singleton-0.8',
  address: '0x00000000000000000000000000000000000000aa',
  entryPointVersion: '0.8' as const,
  entryPoint: '0x00000000000000000000000000000000000000bb',
});
const chainWith = (...versions: readonly string[]) => ({
  chainId: 8453,
  name: 'Base',
  contracts: versions.map(contractOf),
  tokens: [],
});

test.each([
  ['its EntryPoint, where that names one contract', ['3.0.0'], '--entry-point 0.8'],
  ['its version, where several contracts are for its EntryPoint', ['3.0.0', '3.1.0'], '--paymaster-version 3.0.0'],
  ['its version, where no contract is left for its EntryPoint', [], '--paymaster-version 3.0.0'],
])('another paymaster is proposed with %s', (_, versions, option) => {
  const { version, ...contract } = contractOf('3.0.0');
  const paymaster = { paymasterId: 'p', chainId: 8453, version, contract };
  const known = { paymaster, chains: [chainWith(...versions)] };
  expect(fixSteps({ action: 'create-paymaster' }, { chainId: 8453 }, known)).toEqual([
    { command: `tollfree paymaster create <name> --chain-id 8453 ${option}` },
  ]);
});
