import { readFileSync } from 'node:fs';
import { type Address, concat, type Hex, keccak256, numberToHex, pad } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { devPackageFile } from '../../../server/dev/devnet/deployments.ts';
import { encodeAccountCalls } from '../../../server/dev/user-operation/build-user-operation.ts';
import { dummySignature } from '../../../server/dev/user-operation/dev-user-operation.ts';
import { signDelegation } from '../../support/chain/eip7702-lab.ts';
import { compiledContract } from '../compiled-contract.ts';
import type { World } from '../world.ts';
import type { AccountKind } from './robber-account.ts';
import { signAsOwner } from './simple-account.ts';

const artifact = z.object({ bytecode: z.templateLiteral(['0x', z.string()]) });

/** Simple7702Account of 0.9 is told its EntryPoint; that of 0.8 is on every development chain. */
function delegate(world: World, version: '0.8' | '0.9'): Promise<Address> {
  const { devnet } = world;
  if (version === '0.8') return Promise.resolve(devnet.simple7702Account);
  const file = devPackageFile('@account-abstraction/contracts-0.9', 'artifacts/Simple7702Account.json');
  const { bytecode } = artifact.parse(JSON.parse(readFileSync(file, 'utf8')));
  return world.deploy(concat([bytecode, pad(devnet.entryPoints['0.9'])]));
}

function keyOf(number: bigint): PrivateKeyAccount {
  return privateKeyToAccount(keccak256(concat(['0x7702', numberToHex(number, { size: 32 })])));
}

/** Has an address delegate, in a transaction of the attacker's wallet. */
export async function delegateTo(world: World, key: PrivateKeyAccount, to: Address): Promise<void> {
  const authorization = await signDelegation(world.devnet, key, to);
  await world.attacker.send({ to: key.address, data: '0x', authorizationList: [authorization] });
}

const kind = (version: '0.8' | '0.9'): Omit<AccountKind, 'name' | 'isKnown' | 'open'> => ({
  version,
  info: { name: 'SIMPLE_7702', version: '1.0.0' },
  placeholder: dummySignature,
});

function calls(version: '0.8' | '0.9') {
  return (made: Parameters<typeof encodeAccountCalls>[1]): Hex => encodeAccountCalls(version, made);
}

/** An address that delegates to the published account (EIP-7702). */
export function simple7702Kind(version: '0.8' | '0.9'): AccountKind {
  return {
    ...kind(version),
    name: 'Simple7702Account',
    isKnown: true,
    async open(world, number) {
      const key = keyOf(number);
      const to = await delegate(world, version);
      return {
        sender: key.address,
        initCode: '0x',
        encode: calls(version),
        sign: (operation, paymasterAndData) => signAsOwner(world, key, operation, paymasterAndData),
        authorization: { delegate: to, sign: () => signDelegation(world.devnet, key, to) },
        settle: () => delegateTo(world, key, to),
      };
    },
  };
}

/** An address that runs code of the attacker's, whose owner has an authorization for the published account too. */
export function delegatedLiarKind(version: '0.8' | '0.9'): AccountKind {
  return {
    ...kind(version),
    name: 'delegated to unknown code',
    isKnown: false,
    async open(world, number) {
      const key = keyOf(number + 1_000_000n);
      const liar = await world.deploy(compiledContract('HoardingAccount'));
      const shown = await delegate(world, version);
      return {
        sender: key.address,
        initCode: '0x',
        encode: calls(version),
        sign: (operation, paymasterAndData) => signAsOwner(world, key, operation, paymasterAndData),
        authorization: { delegate: shown, sign: () => signDelegation(world.devnet, key, shown) },
        settle: () => delegateTo(world, key, liar),
      };
    },
  };
}
