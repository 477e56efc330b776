import { type Address, concat, encodeAbiParameters, encodeFunctionData, type Hex, pad, parseAbi } from 'viem';
import { type EntryPointVersion, entryPointVersions } from '../../core/domain/entry-point-version.ts';
import type { SponsorshipMode } from '../../core/domain/sponsorship.ts';
import { userOperationHash } from '../../core/evm/entry-point/entry-points.ts';
import { paymasterContractFamilies } from '../../core/evm/paymaster-contracts/families.ts';
import { devnetFamilies } from '../../server/dev/devnet/devnet.ts';
import { encodeAccountCalls } from '../../server/dev/user-operation/build-user-operation.ts';
import { dummySignature } from '../../server/dev/user-operation/dev-user-operation.ts';
import { placeCode } from '../support/accounts/place-code.ts';
import { biconomyKind } from './accounts/biconomy-account.ts';
import { delegatedLiarKind, simple7702Kind } from './accounts/delegating-account.ts';
import { kernelKind } from './accounts/kernel-account.ts';
import { lightAccountKind } from './accounts/light-account.ts';
import { nexusKind } from './accounts/nexus-account.ts';
import { metaMaskKind, safe7579Kind, safeKind } from './accounts/published-account.ts';
import type { AccountKind } from './accounts/robber-account.ts';
import { owner, simpleAccountKind } from './accounts/simple-account.ts';
import { upgradedKind } from './accounts/upgraded-account.ts';
import { compiledContract } from './compiled-contract.ts';
import { relayedVersion } from './relayed-version.ts';

/** A contract of the attacker's that ignores its call data, where the policy takes any account. */
function hoardingKind(version: EntryPointVersion): AccountKind {
  return {
    name: 'own code',
    version,
    isKnown: true,
    info: { name: 'INFINITISM', version: '1.0.0' },
    placeholder: dummySignature,
    open: async (world) => ({
      sender: await world.deploy(compiledContract('HoardingAccount')),
      initCode: '0x',
      encode: (calls) => encodeAccountCalls(version, calls),
      sign: async () => dummySignature,
    }),
  };
}

const factory: Address = '0x0BA5ED0c6AA8c49038F819E587E2633c4A9F428a';
const implementation: Address = '0x000100abaad02f1cfC8Bbe32bD5a564817339E72';
const abi = parseAbi([
  'function createAccount(bytes[] owners, uint256 nonce) payable returns (address)',
  'function getAddress(bytes[] owners, uint256 nonce) view returns (address)',
]);

function ofFirstOwner(signature: Hex): Hex {
  return encodeAbiParameters(
    [{ type: 'tuple', components: [{ type: 'uint256' }, { type: 'bytes' }] }],
    [[0n, signature]],
  );
}

/** A stand-in for Coinbase Smart Wallet 1, at its addresses. */
const coinbaseKind: AccountKind = {
  name: 'Coinbase Smart Wallet 1',
  version: '0.6',
  isKnown: true,
  info: { name: 'COINBASE_SMART_WALLET', version: '1.0.0' },
  placeholder: ofFirstOwner(dummySignature),
  async open(world, number) {
    await placeCode(world, implementation, compiledContract('CoinbaseStandIn'));
    await placeCode(world, factory, compiledContract('CoinbaseFactoryStandIn'));
    const { devnet } = world;
    const args = [[pad(owner.address)], number] as const;
    return {
      sender: await devnet.client.readContract({ address: factory, abi, functionName: 'getAddress', args }),
      initCode: concat([factory, encodeFunctionData({ abi, functionName: 'createAccount', args })]),
      // Batches are those of SimpleAccount 0.8.
      encode: (calls) => encodeAccountCalls('0.8', calls),
      sign: async (operation, paymasterAndData) => {
        const entryPoint = devnet.entryPoints['0.6'];
        const hash = userOperationHash({ operation, paymasterAndData, entryPoint, chainId: devnet.chainId });
        return ofFirstOwner(await owner.sign({ hash }));
      },
    };
  },
};

/** Who pays for what: the robber searches each of these by itself. */
export type Cell = {
  readonly name: string;
  readonly account: AccountKind;
  /** The account of an honest user, where the cell's own is none. */
  readonly honestAccount: AccountKind;
  readonly family: string;
  readonly mode: SponsorshipMode;
  /** The default one when absent. */
  readonly policy?: object;
  /** A method of a sponsored contract that lets its caller decide what it costs; a plain one when absent. */
  readonly method?: 'collect' | 'note' | 'settle';
  /** Whether the operator's bundler relays the operations, and no contract signs for them. */
  readonly isRelayed?: true;
  /** The most that an operation costs the tank, in costs of an honest one. Without it the cap per operation bounds the cost. */
  readonly most: number | undefined;
};

/** An account that keeps its code. */
export const mostOfKnown = 1.3;
/**
 * An account with EIP-7702 that sends an authorization again: its 25,000 gas and what goes with up to 512 bytes of factory data are
 * paid, and the bundler can leave the authorization out. By arithmetic: a fifth and a tenth more.
 */
const mostOfDelegated = 1.6;
/**
 * An account that copies its signature in validation, of any length. A contract makes the bytes as it bundles, so they cost the attacker
 * nothing, and use up what the verification limit has left. By arithmetic: the bound of an account that keeps its code, and 150,000 gas.
 */
const mostOfLongSignature = 2.2;
/** An account that is given other code after the signature. */
export const mostOfChanged = 4;
/** viem sends 800,000 gas for the verification of a Coinbase wallet. */
const mostOfCoinbase = 8;

function cell(account: AccountKind, family: string, mode: SponsorshipMode, honestAccount = account): Cell {
  const name = `${account.version} ${account.name}, ${family}, ${mode}`;
  const most = honestAccount === account || !account.isKnown ? mostOfKnown : undefined;
  return { name, account, honestAccount, family, mode, most };
}

const ofOwnFamily = (account: AccountKind, mode: SponsorshipMode, honest = account) =>
  cell(account, devnetFamilies[account.version], mode, honest);

/** Cells of the paymaster contracts that every development chain has. */
export const ownFamilyCells: readonly Cell[] = [
  ...entryPointVersions.map((version) => ofOwnFamily(simpleAccountKind(version), 'SPONSORED')),
  ofOwnFamily(safeKind, 'SPONSORED'),
  ofOwnFamily(lightAccountKind, 'SPONSORED'),
  ...[metaMaskKind, simple7702Kind('0.8'), simple7702Kind('0.9')].map((account) => ({
    ...ofOwnFamily(account, 'SPONSORED'),
    most: mostOfDelegated,
  })),
  ofOwnFamily(delegatedLiarKind('0.8'), 'SPONSORED', simple7702Kind('0.8')),
  ofOwnFamily(delegatedLiarKind('0.9'), 'SPONSORED', simple7702Kind('0.9')),
  ...entryPointVersions.map((version) => ofOwnFamily(simpleAccountKind(version), 'ERC20')),
  ofOwnFamily(kernelKind('published'), 'SPONSORED'),
  ofOwnFamily(kernelKind('own validator'), 'SPONSORED', kernelKind('published')),
  ofOwnFamily(nexusKind('published'), 'SPONSORED'),
  ofOwnFamily(nexusKind('own validator'), 'SPONSORED', nexusKind('published')),
  ofOwnFamily(biconomyKind('published'), 'SPONSORED'),
  ofOwnFamily(biconomyKind('own validator'), 'SPONSORED', biconomyKind('published')),
  ofOwnFamily(coinbaseKind, 'SPONSORED'),
  ofOwnFamily(safe7579Kind('published'), 'SPONSORED'),
  ofOwnFamily(safeKind, 'ERC20'),
  ofOwnFamily(simple7702Kind('0.8'), 'ERC20'),
];

const own: readonly string[] = Object.values(devnetFamilies);

/** Cells of the other families, with an account that all of them have. */
export const otherFamilyCells: readonly Cell[] = [...paymasterContractFamilies.values()]
  .filter(({ name }) => !own.includes(name))
  .flatMap(({ name, entryPointVersion, modes }) =>
    modes.map((mode) => cell(simpleAccountKind(entryPointVersion), name, mode)),
  );

/** Accounts that validate a signature with other bytes behind it. */
export const longSignatureCells: readonly Cell[] = [
  ...[safeKind, kernelKind('published'), nexusKind('published'), safe7579Kind('published')],
  ...[biconomyKind('published'), coinbaseKind],
].map((account) => {
  const plain = ofOwnFamily(account, 'SPONSORED');
  return {
    ...plain,
    name: `${plain.name}, longer signature`,
    most: account === coinbaseKind ? mostOfCoinbase : mostOfLongSignature,
  };
});

/** Hooks of the attacker's run with the calls. */
export const hookCells: readonly Cell[] = [
  ...[kernelKind, nexusKind].flatMap((kindOf) =>
    (['own hook', 'hidden hook'] as const).map((modules) =>
      ofOwnFamily(kindOf(modules), 'SPONSORED', kindOf('published')),
    ),
  ),
];

/** Accounts that get other code after the signature, which no signature binds. */
export const upgradedCells: readonly Cell[] = [
  ...entryPointVersions.map(simpleAccountKind),
  ...[safeKind, lightAccountKind, metaMaskKind, simple7702Kind('0.8'), simple7702Kind('0.9')],
  ...[kernelKind('published'), nexusKind('published'), biconomyKind('published'), safe7579Kind('published')],
  coinbaseKind,
].map((account) => ({
  ...ofOwnFamily(upgradedKind(account), 'SPONSORED', account),
  most: account === coinbaseKind ? mostOfCoinbase : mostOfChanged,
}));

/** Sponsored methods that let their caller decide what they cost. */
export const costlyMethodCells: readonly Cell[] = (['collect', 'note', 'settle'] as const).flatMap((method) =>
  [simpleAccountKind('0.7'), simpleAccountKind('0.9'), upgradedKind(simpleAccountKind('0.7'))].map((account) => {
    const plain = ofOwnFamily(account, 'SPONSORED', simpleAccountKind(account.version));
    return { ...plain, name: `${plain.name}, ${method}`, method, most: undefined };
  }),
);

/**
 * Where the policy takes any account. Its code may use all gas that the operator lets it have, whatever it was asked for: the bound of
 * the other cells does not hold here.
 */
export const anyAccountCells: readonly Cell[] = entryPointVersions.map((version) => ({
  ...ofOwnFamily(hoardingKind(version), 'SPONSORED', simpleAccountKind(version)),
  policy: { accounts: 'ANY', maxCostPerOperation: { wei: '200000000000000000' } },
  most: undefined,
}));

/**
 * Where the policy sponsors all calls, or methods whose arguments have any length: bytes of the caller's choice are paid for, up to
 * the cap on `preVerificationGas`.
 */
export const anyBytesCells: readonly Cell[] = [
  ...entryPointVersions.map((version) => simpleAccountKind(version)),
  simple7702Kind('0.8'),
  // Elsewhere its validator is refused: setting it up is a call of the account.
  safe7579Kind('own validator'),
].map((account) => {
  const honest = account.hasModule ? safe7579Kind('published') : account;
  const plain = ofOwnFamily(account, 'SPONSORED', honest);
  return { ...plain, name: `${plain.name}, any bytes`, policy: { sponsorAllCalls: true }, most: undefined };
});

/** Operations that the operator's own bundler relays: the attacker bundles nothing. */
export const relayCells: readonly Cell[] = [
  ...[simpleAccountKind(relayedVersion), safeKind, lightAccountKind, metaMaskKind],
  ...[kernelKind('published'), nexusKind('published'), safe7579Kind('published')],
].flatMap((account) =>
  [account, upgradedKind(account)].map((kind) => ({
    ...ofOwnFamily(kind, 'SPONSORED', account),
    name: `${account.version} ${kind.name}, relayed`,
    most: kind === account ? mostOfKnown : mostOfChanged,
    isRelayed: true as const,
  })),
);

/** The one cell of that name. */
export function cellNamed(name: string): Cell {
  const cells = [
    ...ownFamilyCells,
    ...anyBytesCells,
    ...otherFamilyCells,
    ...longSignatureCells,
    ...hookCells,
    ...upgradedCells,
    ...costlyMethodCells,
    ...relayCells,
  ];
  const found = cells.find((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`There is no cell ${name}.`);
  return found;
}
