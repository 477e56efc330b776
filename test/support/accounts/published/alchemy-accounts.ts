import { type Address, concat, encodeFunctionData, type Hex, parseAbi } from 'viem';
import type { SmartAccount } from 'viem/account-abstraction';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { Devnet } from '../../../../server/dev/devnet/devnet.ts';
import { dummySignature } from '../../../../server/dev/user-operation/dev-user-operation.ts';
import { signDelegation } from '../../chain/eip7702-lab.ts';
import type { OpenedAccount } from '../matrix-accounts.ts';
import { type AccountCall, encodeTupleCalls, handBuiltAccount } from './hand-built-account.ts';

const salt = 0n;
/** The type of a signature of an EOA, before it. */
const ofEoa = (signature: Hex): Hex => concat(['0x00', signature]);

/** Modular Account 1 of one owner. */
export function modularAccount1(devnet: Devnet, owner: PrivateKeyAccount): Promise<SmartAccount> {
  const abi = parseAbi(['function createAccount(uint256 salt, address[] owners)']);
  return handBuiltAccount({
    devnet,
    version: '0.6',
    owner,
    creation: {
      factory: '0x000000e92D78D90000007F0082006FDA09BD5f11',
      factoryData: encodeFunctionData({ abi, args: [salt, [owner.address]] }),
    },
    stubSignature: dummySignature,
    encodeCalls: encodeTupleCalls,
    sign: ({ hash }) => owner.signMessage({ message: { raw: hash } }),
  });
}

/** Where the owner of a semi-modular account is the validation for all calls: entity 0, for every selector. */
const ownerNonceKey = 1n;
/** The end of the hooks' data, then a signature. */
const withoutHooks = (signature: Hex): Hex => concat(['0xff', ofEoa(signature)]);

/** Modular Account 2 in its default form, the semi-modular one. */
export function modularAccount2(devnet: Devnet, owner: PrivateKeyAccount): Promise<SmartAccount> {
  const abi = parseAbi(['function createSemiModularAccount(address owner, uint256 salt)']);
  return handBuiltAccount({
    devnet,
    version: '0.7',
    owner,
    creation: {
      factory: '0x00000000000017c61b5bEe81050EC8eFc9c6fecd',
      factoryData: encodeFunctionData({ abi, args: [owner.address, salt] }),
    },
    nonceKey: ownerNonceKey,
    stubSignature: withoutHooks(dummySignature),
    encodeCalls: encodeTupleCalls,
    sign: async ({ hash }) => withoutHooks(await owner.signMessage({ message: { raw: hash } })),
  });
}

const semiModular7702: Address = '0x69007702764179f14F51cdce752f4f775d74E139';

/** An EOA that runs Modular Account 2. */
export async function modularAccount7702(devnet: Devnet, owner: PrivateKeyAccount): Promise<OpenedAccount> {
  const account = await handBuiltAccount({
    devnet,
    version: '0.7',
    owner,
    delegate: semiModular7702,
    nonceKey: ownerNonceKey,
    stubSignature: withoutHooks(dummySignature),
    encodeCalls: encodeTupleCalls,
    sign: async ({ hash }) => withoutHooks(await owner.signMessage({ message: { raw: hash } })),
  });
  return { account, authorize: () => signDelegation(devnet, owner, semiModular7702) };
}

const lightAbi = parseAbi([
  'function execute(address dest, uint256 value, bytes func)',
  'function executeBatch(address[] dest, uint256[] value, bytes[] func)',
]);

function encodeLightCalls(calls: readonly AccountCall[]): Hex {
  const [only] = calls;
  if (only !== undefined && calls.length === 1) {
    return encodeFunctionData({ abi: lightAbi, functionName: 'execute', args: [only.to, only.value, only.data] });
  }
  const args = [calls.map(({ to }) => to), calls.map(({ value }) => value), calls.map(({ data }) => data)] as const;
  return encodeFunctionData({ abi: lightAbi, functionName: 'executeBatch', args });
}

/** MultiOwnerLightAccount 2 of one owner. */
export function multiOwnerLightAccount(devnet: Devnet, owner: PrivateKeyAccount): Promise<SmartAccount> {
  const abi = parseAbi(['function createAccountSingle(address owner, uint256 salt)']);
  return handBuiltAccount({
    devnet,
    version: '0.7',
    owner,
    creation: {
      factory: '0x000000000019d2Ee9F2729A65AfE20bb0020AefC',
      factoryData: encodeFunctionData({ abi, args: [owner.address, salt] }),
    },
    stubSignature: ofEoa(dummySignature),
    encodeCalls: encodeLightCalls,
    sign: async ({ hash }) => ofEoa(await owner.signMessage({ message: { raw: hash } })),
  });
}
